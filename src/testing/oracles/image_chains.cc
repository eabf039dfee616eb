#include "testing/oracles/image_chains.h"

#include <array>

namespace vyre::testing {
namespace {

// An image with a border, whose pixel (0, 0) is the first inside of the border.
struct Picture {
  const Floats& pixels;
  std::size_t width;   // without the border
  std::size_t border;  // on each side

  // `right` and `down` count from the border's corner.
  double at(std::size_t right, std::size_t down) const {
    return static_cast<double>(pixels[down * (width + 2 * border) + right]);
  }
};

template <class Pixel>
Floats each_pixel(const ChainData& data, const Pixel& pixel) {
  Floats out;
  for (std::size_t y = 0; y < data.size("h"); ++y) {
    for (std::size_t x = 0; x < data.size("w"); ++x) out.push_back(static_cast<float>(pixel(x, y)));
  }
  return out;
}

constexpr std::array<double, 3> kBlur{0.25, 0.5, 0.25};
constexpr std::array<double, 3> kSmooth{1, 2, 1};
constexpr std::array<double, 3> kSlope{-1, 0, 1};

// The 3 x 3 pixels from (x, y) on, weighted by the products of two rows of weights.
double weighted(const Picture& image, std::size_t x, std::size_t y,
                const std::array<double, 3>& across, const std::array<double, 3>& down) {
  double sum = 0;
  for (std::size_t k = 0; k < 9; ++k) {
    sum += across[k % 3] * down[k / 3] * image.at(x + k % 3, y + k / 3);
  }
  return sum;
}

double harris_response(const Picture& image, std::size_t x, std::size_t y, double kappa) {
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t k = 0; k < 9; ++k) {
    const double dx = weighted(image, x + k % 3, y + k / 3, kSlope, kSmooth);
    const double dy = weighted(image, x + k % 3, y + k / 3, kSmooth, kSlope);
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return xx * yy - xy * xy - kappa * (xx + yy) * (xx + yy);
}

}  // namespace

ChainOutputs blur(const ChainData& data) {
  const Picture image{data.input("image"), data.size("w"), 1};
  return {each_pixel(
      data, [&](std::size_t x, std::size_t y) { return weighted(image, x, y, kBlur, kBlur); })};
}

ChainOutputs unsharp(const ChainData& data) {
  const Picture image{data.input("image"), data.size("w"), 1};
  return {each_pixel(data, [&](std::size_t x, std::size_t y) {
    const double center = image.at(x + 1, y + 1);
    return center + data.scalar("amount") * (center - weighted(image, x, y, kBlur, kBlur));
  })};
}

ChainOutputs harris(const ChainData& data) {
  const Picture image{data.input("image"), data.size("w"), 2};
  return {each_pixel(data, [&](std::size_t x, std::size_t y) {
    return harris_response(image, x, y, data.scalar("kappa"));
  })};
}

}  // namespace vyre::testing
