// Builder: writing a Program as if it were C++.
//
// Example (examples/saxpy.cc):
//   const auto saxpy = vyre::ir::build("saxpy", [](vyre::ir::Builder& b) {
//     auto n = b.shape("n");
//     auto a = b.scalar(vyre::ir::f32, "a");
//     auto x = b.read(vyre::ir::f32, "x", n);
//     auto y = b.read_write(vyre::ir::f32, "y", n);
//     auto i = b.global_id(0);
//     b.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
//   });
//
// `build` returns a valid program, or the first mistake with its operands, its statement and its
// place in the C++ source. Every body is run once, immediately; after a mistake it may not be run
// at all. Nothing throws, nothing aborts.
//
// Variables keep their names if the names are free, else the names change (`i_2`). Intermediate
// values that need a name get t0, t1, ... vyre/value.h has the operations on values.

#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string_view>

#include "vyre/program.h"
#include "vyre/value.h"

namespace vyre::ir {

class Builder;
class SequenceBuilder;

Expected<Program> build(std::string_view name, const std::function<void(Builder&)>& body);
Expected<Sequence> build_sequence(std::string_view name,
                                  const std::function<void(SequenceBuilder&)>& body);

// The type of a buffer's elements: a scalar of the language or, for source programs, so many bytes.
struct ElementType {
  // NOLINTNEXTLINE(google-explicit-constructor): written as f32 or opaque(8) in declarations
  ElementType(Scalar of) : scalar(of) {}
  Scalar scalar;
  std::uint32_t bytes = 0;
};
inline ElementType opaque(std::uint32_t bytes) {
  ElementType element(Scalar::u32);
  element.bytes = bytes;
  return element;
}

// A kernel of your own. `declare` declares everything that Source::arguments names, and the
// tunables, workgroup and grid. Files that the text includes and an -I option finds are written
// into the text, so that the program changes with them.
//
// Example (examples/own_kernel.cc):
//   const auto scale = vyre::ir::from_source(
//       "scale", {.text = kText, .entry = "scale", .arguments = {{"x"}, {"n"}}},
//       [](vyre::ir::Builder& b) {
//         auto n = b.shape("n");
//         b.read_write(vyre::ir::opaque(8), "x", n);  // doubles
//         b.workgroup(b.tunable("block", 64));
//       });
Expected<Program> from_source(std::string_view name, Source source,
                              const std::function<void(Builder&)>& declare);

struct ForOptions {
  Operand step = {};    // 1 if not given
  Operand unroll = {};  // a size: constants, symbols and operations on them
};

// The declarations that programs and sequences share. Lengths are sizes: u32 over constants,
// shapes, scalars and tunables.
class Declarations {
 public:
  Declarations(const Declarations&) = delete;
  Declarations& operator=(const Declarations&) = delete;

  Value shape(std::string_view name);
  Value scalar(Scalar type, std::string_view name);
  Value tunable(std::string_view name, const Operand& default_value);  // u32
  Value tunable(Scalar type, std::string_view name, const Operand& default_value);
  // With the values that a tuner may try; the default must be one of them.
  Value tunable(std::string_view name, const Operand& default_value,
                std::initializer_list<Operand> values);  // u32
  Value tunable(Scalar type, std::string_view name, const Operand& default_value,
                std::initializer_list<Operand> values);
  Value constant(Scalar type, const Operand& literal);

  Array read(ElementType element, std::string_view name, const Operand& length);
  Array write(ElementType element, std::string_view name, const Operand& length);
  Array read_write(ElementType element, std::string_view name, const Operand& length);

 protected:
  explicit Declarations(std::shared_ptr<Recorder> recorder) : recorder_(std::move(recorder)) {}
  ~Declarations() = default;
  std::shared_ptr<Recorder> recorder_;
};

class Builder : public Declarations {
 public:
  using Body = std::function<void()>;
  using LoopBody = std::function<void(Value)>;
  using Condition = std::function<Value()>;

  // Their lengths may use constants and tunables only.
  Array local(ElementType element, std::string_view name, const Operand& length);
  Array private_array(Scalar element, std::string_view name, const Operand& length);

  // Sizes; an axis that is not given is 1.
  void workgroup(const Operand& x);
  void workgroup(const Operand& x, const Operand& y);
  void workgroup(const Operand& x, const Operand& y, const Operand& z);
  void grid(const Operand& x);
  void grid(const Operand& x, const Operand& y);
  void grid(const Operand& x, const Operand& y, const Operand& z);

  Value global_id(std::uint32_t axis = 0, Location at = Location::current());
  Value local_id(std::uint32_t axis = 0, Location at = Location::current());
  Value group_id(std::uint32_t axis = 0, Location at = Location::current());
  Value global_size(std::uint32_t axis = 0, Location at = Location::current());
  Value local_size(std::uint32_t axis = 0, Location at = Location::current());
  Value groups(std::uint32_t axis = 0, Location at = Location::current());

  Value vec(const Operand& x, const Operand& y);
  Value vec(const Operand& x, const Operand& y, const Operand& z, const Operand& w);

  Value let(std::string_view name, const Operand& value);
  Var var(std::string_view name, const Operand& initial);
  Var var(Scalar type, std::string_view name, const Operand& initial);

  void if_(const Operand& condition, const Body& then);
  void if_(const Operand& condition, const Body& then, const Body& otherwise);
  void for_(std::string_view name, const Operand& from, const Operand& below, const LoopBody& body);
  void for_(std::string_view name, const Operand& from, const Operand& below,
            const ForOptions& options, const LoopBody& body);
  // Runs `body` while the condition holds, at most `limit` times. The condition is evaluated before
  // each turn; it may load, compute and read variables, and nothing else.
  void while_(const Condition& condition, const Operand& limit, const Body& body,
              Location at = Location::current());
  void region(std::string_view name, const Body& body, Location at = Location::current());
  void barrier(Location at = Location::current());
  void return_(Location at = Location::current());

  // The result is the old value.
  Value atomic_add(const Array& array, const Operand& index, const Operand& value);
  Value atomic_min(const Array& array, const Operand& index, const Operand& value);
  Value atomic_max(const Array& array, const Operand& index, const Operand& value);
  Value atomic_exchange(const Array& array, const Operand& index, const Operand& value);
  Value atomic_compare_exchange(const Array& array, const Operand& index, const Operand& expected,
                                const Operand& value);

 private:
  friend Expected<Program> build(std::string_view, const std::function<void(Builder&)>&);
  friend Expected<Program> from_source(std::string_view, Source,
                                       const std::function<void(Builder&)>&);
  using Declarations::Declarations;
};

// Programs that run one after the other.
//
// Example (examples/sequence.cc):
//   s.run(partial, {x, sums});            // its shapes are found from the buffers
//   s.run(scale, {sums, y}, {n, 0.25F});  // its shapes and scalars, in declaration order
class SequenceBuilder : public Declarations {
 public:
  using Body = std::function<void()>;

  // A buffer that exists on the device only, between the steps; zeros at the start of a dispatch.
  Array scratch(Scalar element, std::string_view name, const Operand& length);

  // A program that could not be built makes the sequence fail with its error.
  void run(const Expected<Program>& program, std::initializer_list<Array> buffers,
           std::initializer_list<Operand> symbols = {}, Location at = Location::current());

  // The runs in `body` are left out where the condition, a bool or u32 over constants and tunables
  // of the sequence, is false or 0.
  void when(const Operand& condition, const Body& body);

  // Repeats the runs in `body` until element 0 of `flag` is not zero, at most `limit`
  // times. A sequence may have one repeat_until.
  void repeat_until(const Array& flag, std::uint32_t limit, const Body& body,
                    Location at = Location::current());

 private:
  friend Expected<Sequence> build_sequence(std::string_view,
                                           const std::function<void(SequenceBuilder&)>&);
  SequenceBuilder(std::shared_ptr<Recorder> recorder, SequenceDef* def)
      : Declarations(std::move(recorder)), def_(def) {}
  SequenceDef* def_;
  std::uint32_t when_ = kNone;  // the condition's node while its body is run
};

}  // namespace vyre::ir
