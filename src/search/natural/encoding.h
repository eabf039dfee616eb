// Encoding: how the model sees a configuration.
//
// Every parameter becomes a group: a code per value, and one or more coordinates per code, each
// with its own length scale. Numbers are seen half by their logarithm (sizes act by ratios) and
// half by their place in the list (a list is a designer's idea of equal steps).
//
// Integers are seen by their divisibility too. Whether tiles fit, rows are aligned and passes come
// out even depends on how often 2 divides a size and on the odd factor that is left over. Since
// that concerns the whole configuration, the odd factors of all parameters together form one more
// group. In a large space the products of all pairs of sizes are seen as well.
//
// Names mean nothing here. Strings, and lists in no numeric order, are only equal or different.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/natural/products.h"
#include "vyre/space.h"

namespace vyre::natural {

struct Coordinate {
  std::vector<double> at;  // per code, in [0, 1]
  double log_length = 0;   // where its length scale is looked for
  bool is_divisibility = false;
};

struct Group {
  std::uint32_t values = 0;  // codes are below this
  bool ordered = true;       // false: codes are equal or different, nothing between
  std::vector<Coordinate> coordinates;
  std::vector<double> sizes;  // per code; empty unless the values are integers above 0
};

// How often 2 divides n, and the factor that is left over. 0 has no factors.
int twos_in(std::int64_t n);
double odd_factor(std::int64_t n);

// The covariance of a Gaussian process whose paths have two derivatives.
float matern52(float squared_distance);

class Encoding {
 public:
  explicit Encoding(const space::Space& space);

  const std::vector<Group>& groups() const { return groups_; }
  std::size_t coordinate_count() const { return coordinate_count_; }
  // The groups of single parameters come first, that of the odd factors, if any, last.
  std::size_t parameter_groups() const { return parameter_of_.size(); }

  // Empty in a small space.
  const Products& products() const { return products_; }

  // codes.size() == groups().size()
  void encode(space::PointView point, std::span<Code> codes) const;

  // 0 if every size is a power of two, nearing 1 as odd factors pile up.
  double unevenness(space::PointView point) const;

  // How far apart two codes of a parameter's group are: 0 to 1.
  double step(std::size_t group, Code a, Code b) const;

  // How far apart two configurations are, in the plain coordinates of their parameters.
  double distance(std::span<const Code> a, std::span<const Code> b) const;

 private:
  void add_parameter(const space::Parameter& parameter, std::size_t index);
  void add_unevenness();

  std::vector<Group> groups_;
  Products products_;
  std::size_t coordinate_count_ = 0;
  std::vector<std::size_t> parameter_of_;        // per parameter group
  std::vector<std::vector<Code>> code_of_;       // per parameter group and value
  std::vector<std::vector<double>> odd_factor_;  // per parameter and value; empty: has none
  bool has_odd_ = false;
};

}  // namespace vyre::natural
