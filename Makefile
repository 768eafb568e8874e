# make lab   opens the course · 打开课程
# make test  runs every test · 运行全部测试
# make help  lists the rest · 列出其余命令

PYTHON ?= python3
VENV ?= .venv
TORCH ?=
TORCH_BACKEND ?=
TRITON ?=
ARGS ?=
NOTEBOOKS ?= notebooks/*.ipynb

ifneq ($(words $(VENV)),1)
$(error VENV="$(VENV)"：路径里不能有空格 · the path must not hold spaces)
endif

BIN := $(VENV)/bin
INSTALL = $(PYTHON) course_tools/install.py $(VENV) $(if $(TORCH),--torch "$(TORCH)") \
	$(if $(TORCH_BACKEND),--torch-backend $(TORCH_BACKEND)) $(if $(TRITON),--triton "$(TRITON)")
# A process for every core. A notebook's cells stay together; ARGS="-n 0" runs everything in one.
SPREAD := -n auto --maxprocesses 4
PARALLEL := $(SPREAD) --dist loadfile --no-loadscope-reorder
# Jupyter refuses root unless told; in a container there is often nobody else.
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

.DEFAULT_GOAL := help
.PHONY: help lab site check test test-deep test-oldest test-ascend execute derive format clean

help:  ## 列出命令 · list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'
	@echo
	@echo '  make lab ARGS="--no-browser --port 8890"   传给 JupyterLab · flags for JupyterLab'
	@echo '  make lab TORCH_BACKEND=cpu                 只要 CPU 版 torch · the small CPU build of torch'
	@echo '  make lab PYTHON=python3.12 VENV=.venv312   另一个 Python · another Python'

$(VENV)/ready: pyproject.toml course_tools/install.py
	@$(INSTALL)
	@touch $@

$(VENV)/ready-test: $(VENV)/ready
	@$(INSTALL) --extra test
	@touch $@

lab: $(VENV)/ready  ## 打开课程 · open the course in JupyterLab
	$(BIN)/jupyter lab --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb $(AS_ROOT) $(ARGS)

site: $(VENV)/ready  ## 写出静态网站 site/：不装任何东西也能读、能动 · write the static site: reads and moves with nothing installed
	$(BIN)/python -m course_tools.site site $(ARGS)

STYLE = $(BIN)/ruff check --quiet . && $(BIN)/ruff format --quiet --check .
# No notebook is run, nothing is compiled, no browser: what a small edit breaks most often.
QUICK := floors derived documents notebooks figures figures_numbers hardware explorers occupancy recordings softmax

check: $(VENV)/ready-test  ## 一分钟内：格式、导入、规矩、小内核 · under a minute: style, imports, conventions, small kernels
	$(STYLE)
	$(BIN)/python -m pytest $(PARALLEL) -q -m "not slow and not deep" --disable-warnings $(QUICK:%=tests/test_%.py) $(ARGS)

test: $(VENV)/ready-test  ## 运行全部测试 · run every test, notebooks included
	$(STYLE)
	$(BIN)/python -m pytest $(PARALLEL) --nbval --nbval-current-env -m "not deep" $(ARGS)

test-deep: $(VENV)/ready-test  ## 很少会坏的长测试 · long tests that rarely fail
	$(BIN)/python -m pytest $(SPREAD) --dist worksteal -m deep tests $(ARGS)

# What is the same on any triton is tested once: what is looked at, what is handed in, what is written.
ONCE := lab live_page handout slides site player figures report gradebooks install floors derived documents recordings notebooks \
	hardware explorers seeds climb execute stopwatch pretend_gpu

test-oldest:  ## 用最旧的 triton 3.6.0 测试 · the same on the oldest triton
	$(MAKE) test VENV=.venv-triton-3.6 TRITON="triton==3.6.0" ARGS="$(ONCE:%=--ignore-glob='*test_%*') $(ARGS)"

test-ascend: export VENV = .venv-ascend
test-ascend: export COURSE_BACKEND = interpreter
test-ascend:  ## 用 triton-ascend 测试 · what Ascend's triton makes of the course
	$(MAKE) $(VENV)/ready-test TRITON="triton-ascend==3.2.0 pybind11"
	$(VENV)/bin/python -m pytest $(PARALLEL) --nbval --nbval-current-env tests/ascend tests/test_npu.py tests/test_traffic.py \
		tests/test_stepper.py `$(VENV)/bin/python -m course_tools.contents --without compiler` $(ARGS)

execute: $(VENV)/ready-test  ## 重跑笔记本并存下输出（NOTEBOOKS=…） · run the notebooks and store clean outputs
	$(BIN)/python -m course_tools.execute $(NOTEBOOKS)

derive: $(VENV)/ready  ## 重写由笔记本和数据得出的一切：表、时长、图 · write again what is derived: tables, durations, pictures
	$(BIN)/python -m course_tools.derive

format: $(VENV)/ready-test  ## 整理代码 · format the code
	$(BIN)/ruff check --fix . && $(BIN)/ruff format .

clean:  ## 删去环境 · remove the environments
	rm -rf .venv .venv-triton-3.6 .venv-ascend
