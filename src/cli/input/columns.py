"""Writes a column of a Parquet or Arrow file to standard output: a line with its element type, then the elements,
batch by batch; at the end, to standard error, how many of them were null."""

import ctypes
import difflib
import os
import signal
import sys

PATH, KIND, COLUMN, RULE = sys.argv[1:]  # the column: "" for the only one, "#3" for the third, "=price" for a name
REFUSES, LACKS_PYARROW = 3, 77  # exit codes
BATCH = 1 << 16  # rows


# Linux: ends with the program, also if that is killed.
if hasattr(ctypes.CDLL(None), "prctl"):
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def refuse(why, code=REFUSES):
    print(" ".join(why.split()), file=sys.stderr)
    sys.exit(code)


try:
    import pyarrow as arrow
    import pyarrow.parquet as parquet
except ModuleNotFoundError as missing:
    if missing.name != "pyarrow":
        refuse(f"pyarrow cannot be imported: {missing}")
    sys.exit(LACKS_PYARROW)
except ImportError as broken:
    refuse(f"pyarrow cannot be imported: {broken}")

NAMES = {arrow.int8(): "i8", arrow.int16(): "i16", arrow.int32(): "i32", arrow.int64(): "i64", arrow.uint8(): "u8",
         arrow.uint16(): "u16", arrow.uint32(): "u32", arrow.uint64(): "u64", arrow.float16(): "f16",
         arrow.float32(): "f32", arrow.float64(): "f64", arrow.bool_(): "u8"}


def listed(names):
    """The columns' names, each once; the first of many."""
    different, most = list(dict.fromkeys(names)), 20
    return ", ".join(different[:most]) + (f", and {len(different) - most} more" if len(different) > most else "")


def choose(names):
    """The place of the column."""
    if not COLUMN:
        if len(names) != 1:
            refuse(f"the file has {len(names)} columns; choose one by --column: {listed(names)}")
        return 0
    if COLUMN[0] == "#":
        place = int(COLUMN[1:])
        if place > len(names):
            refuse(f"column {place} does not exist; the file has {len(names)}: {listed(names)}")
        return place - 1
    name = COLUMN[1:]
    if names.count(name) > 1:
        refuse(f'{names.count(name)} columns are named "{name}"; give the position of one')
    if name in names:
        return names.index(name)
    near = difflib.get_close_matches(name, names, 1)
    refuse(f'unknown column "{name}"; {f"did you mean {near[0]}? " if near else ""}Choices: {listed(names)}')


def advice(kind):
    """How to make numbers of another type."""
    types = arrow.types
    if types.is_dictionary(kind):
        return f"decode it: cast it to {kind.value_type}"
    if types.is_nested(kind):
        return "flatten it into columns of numbers"
    if types.is_date32(kind) or types.is_time32(kind):
        return "cast it to int32"
    if types.is_temporal(kind):
        return "cast it to int64"
    return "cast it to a number type such as float64"


def open_file():
    """The schema, and what makes the batches of the column at a place."""
    if KIND == "parquet":
        file = parquet.ParquetFile(PATH, pre_buffer=False, page_checksum_verification=True)
        schema = file.schema_arrow

        def batches_of_name(place, name):
            # All columns of the name, and the fields of a structure of which it is the path, come with it.
            same = schema.names[:place].count(name)
            for batch in file.iter_batches(BATCH, columns=[name]):
                yield batch.column(batch.schema.get_all_field_indices(name)[same])
        return schema, batches_of_name
    source = arrow.OSFile(PATH)
    if KIND == "stream":
        reader = arrow.ipc.open_stream(source)
        return reader.schema, lambda place, _: (batch.column(place) for batch in reader)
    schema = arrow.ipc.open_file(source).schema

    def batches(place, _):
        options = arrow.ipc.IpcReadOptions(included_fields=[place])
        file = arrow.ipc.open_file(source, options=options)
        return (file.get_batch(i).column(0) for i in range(file.num_record_batches))
    return schema, batches


def without_nulls(column, rows, name):
    if RULE == "error":
        row = rows + column.is_null().index(arrow.scalar(True)).as_py() + 1
        refuse(f'column "{name}", row {row}: a missing value (null): --missing skip leaves it out, --missing zero '
               "counts it as 0")
    if RULE == "skip":
        return column.drop_null()
    if arrow.types.is_float16(column.type):  # which cannot be filled
        return column.cast(arrow.float32()).fill_null(0).cast(arrow.float16())
    return column.fill_null(False if arrow.types.is_boolean(column.type) else 0)


def write(out, column):
    if arrow.types.is_boolean(column.type):
        column = column.cast(arrow.uint8())
    if len(column) > 0:
        width = column.type.bit_width // 8
        first = column.offset * width
        out.write(memoryview(column.buffers()[1])[first:first + len(column) * width])


def main():
    schema, batches = open_file()
    place = choose(schema.names)
    name, kind = schema.names[place], schema.types[place]
    if kind not in NAMES:
        refuse(f'column "{name}" is of Arrow type {kind}, not of numbers; {advice(kind)}')
    out = sys.stdout.buffer
    out.write(NAMES[kind].encode() + b"\n")
    rows = missing = 0
    for column in batches(place, name):
        rows += len(column)
        if column.null_count > 0:
            missing += column.null_count
            column = without_nulls(column, rows - len(column), name)
        write(out, column)
    out.flush()
    print(missing, file=sys.stderr)


try:
    main()
except BrokenPipeError:
    os._exit(1)  # the reader has enough
except (arrow.ArrowException, OSError, MemoryError) as problem:
    refuse(str(problem) or type(problem).__name__, 1)
