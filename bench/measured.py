"""The measured times of a results file, and ratios of them."""
import json
import statistics


class Measured:
    """Times by benchmark: row/type/bytes/threads/contender/flavor."""

    def __init__(self, context, rounds, allocations, accuracy):
        self.context, self.rounds, self.allocations = context, rounds, allocations
        self.accuracy = accuracy  # as accuracies.measure has it

    @classmethod
    def read(cls, path):
        with open(path) as file:
            content = json.load(file)
        return cls(content["context"], {b["name"]: b["ns"] for b in content["benchmarks"]},
                   {b["name"]: b.get("allocations") for b in content["benchmarks"]}, content.get("accuracy", []))

    def names(self, row):
        """All benchmarks of a row: row/type/bytes/threads."""
        return [name for name in self.rounds if name.startswith(row + "/")]

    def find(self, row, contender, flavor=None):
        """The benchmark of a row's contender, of any flavor unless one is given; None if it was not measured."""
        for name in self.names(row):
            parts = name.split("/")
            if parts[4] == contender and flavor in (None, parts[5]):
                return name
        return None

    def ns(self, name):
        """The median time."""
        return statistics.median(t for times in self.rounds[name] for t in times)

    def least(self, name):
        """The shortest time."""
        return min(t for times in self.rounds[name] for t in times)

    def gb_per_s(self, name):
        """Bytes of the array over the median time."""
        return int(name.split("/")[2]) / self.ns(name)

    def speed(self, ours, other):
        """How many times faster `ours` is: the median over the rounds of the ratio of their medians, and the ratio
        of the shortest times, which noise of the machine moves less."""
        rounds = zip(self.rounds[ours], self.rounds[other])
        median = statistics.median(statistics.median(b) / statistics.median(a) for a, b in rounds)
        return median, self.least(other) / self.least(ours)
