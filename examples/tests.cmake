# Runs the examples: with each backend, with one that is missing, and with unknown names.

# example(<name> <words of its output> <command>...); that words are found does not mean that all went well.
function(example name words)
  add_test(NAME examples.${name} COMMAND ${ARGN})
  set_tests_properties(examples.${name} PROPERTIES PASS_REGULAR_EXPRESSION "${words}" FAIL_REGULAR_EXPRESSION "Sanitizer|terminate|differ")
endfunction()

foreach(backend automatic cpu ${onefold_cpu_backends} ${onefold_accelerators})
  foreach(accuracy native wide kahan)
    example(choose_backend.${backend}.${accuracy} "sum 14[.]39.*threads .*accuracy ${accuracy}"
            choose_backend --backend ${backend} --accuracy ${accuracy} --threads 2 --elements 1000000)
  endforeach()
endforeach()
example(arrow "price is f64, 90000 valid, 10000 null\nsum 11[.]11138.*smallest in row 99998\nthe same bits from batches of every size: yes\nquantities 29999.*date32.*int32" arrow_prices)
# No device that may be seen: the program goes on with another backend and says so.
example(choose_backend.missing "backend cuda cannot run: .*going on .*sum 7[.]48547" choose_backend --backend gpu --elements 1000)
set_tests_properties(examples.choose_backend.missing PROPERTIES ENVIRONMENT CUDA_VISIBLE_DEVICES=)
example(choose_backend.wrong_name "did you mean kahan" choose_backend --accuracy khan)
if(TARGET mpi_sum AND NOT ONEFOLD_SANITIZE)  # as in tests/mpi
  foreach(ranks 1 3 8)
    example(mpi_sum.${ranks} "onefold, sum +14[.]3927288  bits 4166489e\nonefold, variance +1[.]6447259e-06  bits 35dcc05a\n" ${MPIEXEC_EXECUTABLE} -n ${ranks} $<TARGET_FILE:mpi_sum>)
    set_tests_properties(examples.mpi_sum.${ranks} PROPERTIES ENVIRONMENT "${onefold_mpi_environment}" PROCESSORS ${ranks})
  endforeach()
endif()
if(TARGET nccl_sum)
  example(nccl_sum "the same bits as one device: yes" nccl_sum)
  set_tests_properties(examples.nccl_sum PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped")
endif()
example(nearest_vectors "nearest to document 0: document 3\ndocument 1 alone has the same bits: yes\n" nearest_vectors)
if(TARGET own_operation_cuda)
  example(own_operation_cuda "sequential +x from -0[.]49.*the same bits from all" own_operation_cuda)
endif()
example(own_operation "sequential +box .* logsumexp 1014[.]05142512" own_operation)
example(orders "revenue 432[.]47\npaid 379[.]97\nlargest order: number 2\nquarter 0  cosine 1[.]000  moved 6\nquarter 1  cosine 0[.]000  moved 18\nthe same bits from both backends: yes\n" orders)
example(promise "a plain loop +1087937\nonefold, native +1000000[.]12\nonefold, exact +1000000\n" promise)
example(running_total "day 4  totals 350[.]50 286[.]75  best 130[.]25 101[.]00\nrows begin at 0 3 3 5\n" running_total)
example(softmax "weights 2  0[.]139 0[.]139 0[.]722\nthe same bits with two threads: yes\n" softmax)
example(source_operation "sequential +mean of [|]x[|].3: 0[.]2500" source_operation 3)
set_tests_properties(examples.source_operation PROPERTIES ENVIRONMENT ONEFOLD_CACHE=${CMAKE_CURRENT_BINARY_DIR}/source_cache)
example(stream "2621443 elements, sum .*\nthe bits of a reduction of the whole: yes\n" stream)

# The tutorial shows what its programs print. Instrumented, they print the same, later.
if(openmp IN_LIST ONEFOLD_BACKENDS AND tbb IN_LIST ONEFOLD_BACKENDS AND threads IN_LIST ONEFOLD_BACKENDS AND
   ONEFOLD_ELEMENTS STREQUAL all AND ONEFOLD_PROGRAM AND NOT ONEFOLD_SANITIZE AND NOT ONEFOLD_COVERAGE)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
  add_test(NAME examples.tutorial COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/scripts/tutorial --check
           --built ${CMAKE_CURRENT_BINARY_DIR}/tutorial)
endif()
if(TARGET tutorial_timing)
  foreach(name thread_index two_phases missing_barrier divergent_barrier warp_synchrony out_of_bounds overflow timing ladder)
    add_test(NAME examples.tutorial.${name} COMMAND tutorial_${name})
    set_tests_properties(examples.tutorial.${name} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
  # Of the mistakes, the one whose answer is wrong on every GPU; scripts/gpu-check has the tools find the others.
  add_test(NAME examples.tutorial.overflow.wrong COMMAND tutorial_overflow wrong)
  set_tests_properties(examples.tutorial.overflow.wrong PROPERTIES SKIP_RETURN_CODE 77 WILL_FAIL ON)
endif()
