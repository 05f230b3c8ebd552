# Run at build time (cmake -P): writes what PROGRAM prints for WORDS into OUTPUT.
separate_arguments(words UNIX_COMMAND "${WORDS}")
cmake_path(GET OUTPUT PARENT_PATH folder)
file(MAKE_DIRECTORY "${folder}")
execute_process(COMMAND "${PROGRAM}" ${words} OUTPUT_FILE "${OUTPUT}" COMMAND_ERROR_IS_FATAL ANY)
