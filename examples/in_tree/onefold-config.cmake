# Stands for the installed package while the examples are built together with the library: its targets exist already.
