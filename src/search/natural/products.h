// Products: how alike two configurations are in the products of their sizes.
//
// The speed of a kernel often follows from a product, such as the threads of a block (its width
// times its height) or the work of a thread, and from how often 2 divides it, while the single
// sizes hardly matter. No name says which sizes belong together, so every pair of sizes has its own
// product, seen by its logarithm, its factors of two and its odd factor. The likeness of two
// configurations is the mean over the pairs.
//
// Its length scales are fixed, so the likeness is a table per pair, and a row of likenesses serves
// all models that share a set of candidates.

#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

namespace vyre::natural {

using Code = std::uint16_t;
struct Group;

class Products {
 public:
  Products() = default;  // of no sizes
  explicit Products(std::span<const Group> groups);

  // True: fewer than two groups are sizes.
  bool empty() const { return pairs_.empty(); }

  // In [0, 1]; 1 where all products are equal. By group, codes of two configurations.
  float likeness(std::span<const Code> x, std::span<const Code> y) const;
  // The same for x and each of the first out.size() configurations; codes[g][i] is the i-th one's.
  void row(std::span<const Code> x, const std::vector<std::vector<Code>>& codes,
           Eigen::Ref<Eigen::ArrayXf> out) const;

 private:
  struct Pair {
    std::size_t first = 0;  // groups
    std::size_t second = 0;
    std::size_t seconds = 0;      // codes of the second group
    std::size_t products = 0;     // different ones
    std::vector<Code> product;    // [code of first * seconds + code of second]
    std::vector<float> likeness;  // [product * products + product]

    std::size_t product_of(std::span<const Code> x) const {
      return product[x[first] * seconds + x[second]];
    }
  };
  static Pair make_pair(std::span<const Group> groups, std::size_t first, std::size_t second);

  std::vector<Pair> pairs_;
};

}  // namespace vyre::natural
