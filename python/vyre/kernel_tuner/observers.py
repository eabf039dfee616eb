"""There are none: importing one says so, and what to do."""

raise ImportError("vyre.kernel_tuner has no observers; leave them out, or use Kernel Tuner with "
                  "strategy=vyre.kernel_tuner.Search()")
