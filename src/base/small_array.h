// SmallArray: an array whose size is known when it is made. Up to N elements need no allocation.

#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace vyre {

template <class T, std::size_t N>
class SmallArray {
 public:
  explicit SmallArray(std::size_t size) : size_(size) {
    if (size > N) more_.resize(size);
  }
  SmallArray(const SmallArray&) = delete;
  SmallArray& operator=(const SmallArray&) = delete;

  std::size_t size() const { return size_; }
  T* data() { return size_ > N ? more_.data() : few_.data(); }
  const T* data() const { return size_ > N ? more_.data() : few_.data(); }
  T& operator[](std::size_t index) { return data()[index]; }
  const T& operator[](std::size_t index) const { return data()[index]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  std::span<const T> view() const { return {data(), size_}; }

 private:
  std::size_t size_;
  std::array<T, N> few_{};
  std::vector<T> more_;
};

}  // namespace vyre
