[
  {
    "at_least": 0.8,
    "baseline": 4.419568581953037,
    "met": false,
    "name": "opencl: natural_gradient_block_apply, n = 4096, against sgemv",
    "ratio": 0.5883978364151676,
    "unit": "GB/s",
    "value": 3.2041700082796085
  },
  {
    "baseline": 22.91421586369379,
    "name": "reference: natural_gradient_block_apply, n = 1024, against sgemv",
    "ratio": 0.002682977029505143,
    "unit": "GB/s",
    "value": 0.05915886395850886
  },
  {
    "at_most": 100.0,
    "met": true,
    "name": "Config::find, last of 8",
    "unit": "ns",
    "value": 28.642333984375
  },
  {
    "at_most": 25.0,
    "met": false,
    "name": "resolve, a hit of 10000",
    "unit": "ns",
    "value": 26.747100830078125
  },
  {
    "at_least": 15.0,
    "met": true,
    "name": "resolve, 10000: times faster than the map",
    "note": "map: 1060 ns",
    "unit": "x",
    "value": 39.62443907175432
  },
  {
    "name": "resolve, a hit of 1000000",
    "unit": "ns",
    "value": 225.8380126953125
  },
  {
    "name": "resolve, 1000000: times faster than the map",
    "note": "map: 3505 ns",
    "unit": "x",
    "value": 15.520250369581609
  },
  {
    "at_most": 2.0,
    "baseline": 26.12347412109375,
    "met": true,
    "name": "resolve, 10000, 2 readers and a saver",
    "note": "3 saves meanwhile, 2 cores",
    "ratio": 1.00488076129596,
    "unit": "ns",
    "value": 26.2509765625
  },
  {
    "at_most": 1.0,
    "baseline": 813.447265625,
    "met": true,
    "name": "build a key",
    "ratio": 0.020140298130478428,
    "unit": "ns",
    "value": 18.14361572265625
  },
  {
    "at_most": 50.0,
    "met": true,
    "name": "save 1000 decisions, with fsyncs",
    "unit": "ms",
    "value": 19.800538
  },
  {
    "at_most": 30.0,
    "met": true,
    "name": "load 1000 decisions",
    "unit": "ms",
    "value": 14.072213
  },
  {
    "name": "save 10000 decisions, with fsyncs",
    "unit": "ms",
    "value": 434.77631
  },
  {
    "at_most": 250.0,
    "met": false,
    "name": "load 10000 decisions",
    "unit": "ms",
    "value": 476.248552
  },
  {
    "at_most": 300.0,
    "met": true,
    "name": "memory of a decision, 10000, runner-up included",
    "note": "263 by its own count",
    "unit": "B",
    "value": 263.0768
  },
  {
    "at_least": 0.3,
    "baseline": 35.808901,
    "met": true,
    "name": "opencl: fisher_block, n = 512, k = 1024, against the same algorithm with Eigen's products",
    "ratio": 0.5269721792238381,
    "unit": "ms",
    "value": 67.952166
  },
  {
    "at_least": 0.3,
    "baseline": 631.799197,
    "met": true,
    "name": "opencl: inverse_sqrt, n = 512, against the same algorithm with Eigen's products",
    "ratio": 1.0531615383643824,
    "unit": "ms",
    "value": 599.907207
  },
  {
    "baseline": 0.080699,
    "name": "reference: fisher_block, n = 128, k = 256, against the same algorithm with Eigen's products",
    "ratio": 0.0008419207005200881,
    "unit": "ms",
    "value": 95.85107000000001
  },
  {
    "baseline": 1.769378,
    "name": "reference: inverse_sqrt, n = 128, against the same algorithm with Eigen's products",
    "ratio": 0.0010162561771183659,
    "unit": "ms",
    "value": 1741.07478
  },
  {
    "at_least": 500.0,
    "met": false,
    "name": "interpreter, one core: lane operations (4 u32, 4 f32, compare, select, load, store)",
    "unit": "million/s",
    "value": 163.65577596611047
  },
  {
    "name": "interpreter, all cores: softmax_step, n = 64",
    "unit": "us",
    "value": 123.717296875
  },
  {
    "name": "interpreter, all cores: softmax_step, n = 4096",
    "unit": "us",
    "value": 61.8451875
  },
  {
    "name": "interpreter, all cores: softmax_step, n = 1048576",
    "unit": "us",
    "value": 160004.652
  },
  {
    "baseline": 5.0,
    "name": "valley of condition 1: plain gradient with line search, against plain gradient with its best fixed step",
    "ratio": 1.4,
    "unit": "evaluations",
    "value": 7.0
  },
  {
    "baseline": 5.0,
    "name": "valley of condition 1: natural gradient, against plain gradient with its best fixed step",
    "ratio": 68.4,
    "unit": "evaluations",
    "value": 342.0
  },
  {
    "baseline": 5.0,
    "name": "valley of condition 1: whitened gradient, against plain gradient with its best fixed step",
    "ratio": 40.8,
    "unit": "evaluations",
    "value": 204.0
  },
  {
    "baseline": 55.0,
    "name": "valley of condition 10: plain gradient with line search, against plain gradient with its best fixed step",
    "ratio": 1.2545454545454546,
    "unit": "evaluations",
    "value": 69.0
  },
  {
    "baseline": 55.0,
    "name": "valley of condition 10: natural gradient, against plain gradient with its best fixed step",
    "ratio": 8.6,
    "unit": "evaluations",
    "value": 473.0
  },
  {
    "baseline": 55.0,
    "name": "valley of condition 10: whitened gradient, against plain gradient with its best fixed step",
    "ratio": 3.709090909090909,
    "unit": "evaluations",
    "value": 204.0
  },
  {
    "baseline": 555.0,
    "name": "valley of condition 100: plain gradient with line search, against plain gradient with its best fixed step",
    "ratio": 1.0504504504504504,
    "unit": "evaluations",
    "value": 583.0
  },
  {
    "baseline": 555.0,
    "name": "valley of condition 100: natural gradient, against plain gradient with its best fixed step",
    "ratio": 4.7207207207207205,
    "unit": "evaluations",
    "value": 2620.0
  },
  {
    "baseline": 555.0,
    "name": "valley of condition 100: whitened gradient, against plain gradient with its best fixed step",
    "ratio": 0.3675675675675676,
    "unit": "evaluations",
    "value": 204.0
  },
  {
    "baseline": 5585.0,
    "name": "valley of condition 1000: plain gradient with line search, against plain gradient with its best fixed step",
    "ratio": 1.0506714413607878,
    "unit": "evaluations",
    "value": 5868.0
  },
  {
    "baseline": 5585.0,
    "name": "valley of condition 1000: natural gradient, against plain gradient with its best fixed step",
    "ratio": 0.25138764547896153,
    "unit": "evaluations",
    "value": 1404.0
  },
  {
    "baseline": 5585.0,
    "name": "valley of condition 1000: whitened gradient, against plain gradient with its best fixed step",
    "ratio": 0.09686660698299016,
    "unit": "evaluations",
    "value": 541.0
  },
  {
    "baseline": 55885.0,
    "name": "valley of condition 10000: plain gradient with line search, against plain gradient with its best fixed step",
    "ratio": 0.9626912409412186,
    "unit": "evaluations",
    "value": 53800.0
  },
  {
    "baseline": 55885.0,
    "name": "valley of condition 10000: natural gradient, against plain gradient with its best fixed step",
    "ratio": 0.024228326026661896,
    "unit": "evaluations",
    "value": 1354.0
  },
  {
    "baseline": 55885.0,
    "name": "valley of condition 10000: whitened gradient, against plain gradient with its best fixed step",
    "ratio": 0.10904536100921536,
    "unit": "evaluations",
    "value": 6094.0
  },
  {
    "at_most": 5.0,
    "met": false,
    "name": "natural: own time per evaluation, 18 432 configurations, mean over 150",
    "note": "the further goal is 1 ms: model rebuilds over 2 048 candidates take most",
    "unit": "ms",
    "value": 10.495171721666667
  },
  {
    "at_most": 150.0,
    "met": true,
    "name": "opencl: process start to first result, warm binary store",
    "unit": "ms",
    "value": 148.044003
  },
  {
    "at_least": 0.3,
    "baseline": 14.829152212535334,
    "met": false,
    "name": "opencl: gemm with private tiles, n = 1024, against Eigen",
    "ratio": 0.03147001219883265,
    "unit": "GFLOP/s",
    "value": 0.5153350291798042
  },
  {
    "at_most": 2.0,
    "met": true,
    "name": "opencl: a launch on top of the bare enqueue and finish, 6000 pairs",
    "note": "bare: 10.6 us",
    "unit": "us",
    "value": 0.208
  },
  {
    "at_least": 0.8,
    "baseline": 2.315809662828486,
    "met": false,
    "name": "opencl: natural_gradient_block_apply, n = 4096, against OpenBLAS sgemv",
    "ratio": 0.7241654576032378,
    "unit": "GB/s",
    "value": 1.6597308232614458
  },
  {
    "at_least": 0.7,
    "baseline": 2.961248728232236,
    "met": true,
    "name": "opencl: saxpy, 16 Mi elements, against an OpenMP loop",
    "ratio": 0.7558349502571495,
    "unit": "GB/s",
    "value": 2.335291583425137
  },
  {
    "at_least": 0.7,
    "baseline": 0.7197837141496246,
    "met": false,
    "name": "opencl: softmax_step, 16 Mi weights, against OpenMP loops",
    "ratio": 0.6265948962825981,
    "unit": "GB/s",
    "value": 0.45500186573584994
  },
  {
    "at_most": 5.0,
    "met": true,
    "name": "build space gemm_milo",
    "unit": "ms",
    "value": 0.298425
  },
  {
    "at_least": 10.0,
    "met": true,
    "name": "build space gemm_milo: times faster than filtering",
    "unit": "x",
    "value": 2277.0875730920666
  },
  {
    "at_most": 1.0,
    "met": true,
    "name": "build space dedispersion_milo",
    "unit": "ms",
    "value": 0.038788
  },
  {
    "at_least": 10.0,
    "met": true,
    "name": "build space dedispersion_milo: times faster than filtering",
    "unit": "x",
    "value": 32.03903269052284
  },
  {
    "at_most": 2000.0,
    "met": true,
    "name": "build space of 10^9 combinations, 20 constraints",
    "unit": "ms",
    "value": 1.002569
  },
  {
    "name": "build space of 10^12 combinations",
    "unit": "ms",
    "value": 0.406717
  },
  {
    "name": "opencl: pick_config_pre_exp_fixed_via, 64 candidates",
    "unit": "us",
    "value": 40.934
  },
  {
    "name": "opencl: pick_config_pre_exp_fixed_via, 4096 candidates",
    "unit": "us",
    "value": 302.763
  },
  {
    "name": "opencl: fusion_pressure_via, chain of 16",
    "unit": "us",
    "value": 479.15
  },
  {
    "name": "reference: pick_config_pre_exp_fixed_via, 64 candidates",
    "unit": "us",
    "value": 13.944390625
  },
  {
    "name": "reference: pick_config_pre_exp_fixed_via, 4096 candidates",
    "unit": "us",
    "value": 462.793
  },
  {
    "name": "reference: fusion_pressure_via, chain of 16",
    "unit": "us",
    "value": 1401.786875
  },
  {
    "name": "opencl: pick_config is faster than the interpreter from about this many candidates on",
    "unit": "candidates",
    "value": 256.0
  }
]
