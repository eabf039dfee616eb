// Branches, calls, barriers and what the threads of a warp do together.

#pragma once

#include "fake_cuda/driver/instruction.h"

namespace fake_cuda {

void branch(Thread& thread, const Instruction& at);           // bits: how many instructions away
void branch_by_table(Thread& thread, const Instruction& at);  // a: index, bits: Code::branch_tables
void call(Thread& thread, const Instruction& at);             // bits: Code::calls
void give_back(Thread& thread, const Instruction& at);        // ret
void leave(Thread& thread, const Instruction& at);            // exit
void trap(Thread& thread, const Instruction& at);
void do_nothing(Thread& thread, const Instruction& at);
void read_clock(Thread& thread, const Instruction& at);
void wait_for_block(Thread& thread, const Instruction& at);
void wait_for_warp(Thread& thread, const Instruction& at);

}  // namespace fake_cuda
