"""What the check of 05.draw_waiting says."""

from .sayings import Sayings

DRAWING = Sayings("""
nothing drawn
axes 上什么也没有画：用 axes.plot(横, 纵, label=...)。
Nothing was drawn on axes: use axes.plot(across, up, label=...).

not numbers
画到 axes 上的不是数：{what}。
What was drawn on axes is not numbers: {what}.

one curve
只有一条曲线：每种级数要自己的一条，grid.stages 分得出来。
There is one curve: each number of stages needs its own; grid.stages tells them apart.

mixed
不同级数的点连成了一条线：每种级数各画一条。
Points with different stages are joined into one line: draw one for each.

exchanged
横纵对调了：横轴是每个 SM 的 program 数。
Across and up are exchanged: programs per SM go across.

bandwidth
这是速度（GB/s）；要的是一个 program 做一行要多久。
That is the speed in GB/s; the time that a program takes for a row is asked for.

whole launch
这是整次启动的时间；除以每个 program 做的行数。
That is the time of the whole launch; divide by the rows that each program does.

per row of all
这是总时间 ÷ 总行数。可 program 是一起干的，每个只做其中 rows ÷ (programs × sms) 行。
That is all the time over all the rows. But programs work at the same time, and each does only rows ÷ (programs × sms) of them.

one SM
少乘或多乘了 sms：每个 SM 都有 per_multiprocessor 个 program。
A factor of sms is missing or too many: there are per_multiprocessor programs on every SM.

milliseconds
差了一千倍或一百万倍：median_ms 是毫秒，要画微秒。
Off by a factor of a thousand or a million: median_ms is in milliseconds, microseconds are asked for.

SMs are fixed
你用的是 132 个 SM；别的 GPU 不是这么多，看 sms。
You count on 132 SMs; other GPUs have another number: see sms.

one program
少乘了 per_multiprocessor：一个 SM 上的 program 分着做行，program 越多，每个做的行越少。
A factor of per_multiprocessor is missing: the programs on an SM share its rows, so the more there are, the fewer each does.

shared out
per_multiprocessor 该乘，你除了：一个 SM 上的 program 越多，每个做的行越少。
You divide by per_multiprocessor where you should multiply: the more programs on an SM, the fewer rows each does.

upside down
上下颠倒了：这是一微秒做几行；要的是一行要几微秒。
Upside down: these are rows a microsecond; the microseconds of a row are asked for.

stages are fixed
换了别的级数，你的曲线就没有了：有哪几种级数，要从 grids 里看。
With other numbers of stages your curves are gone: see in grids which there are.

not joined
只有点，没有连成曲线：用 axes.plot。
There are only points, not joined into curves: use axes.plot.

programs of all
横轴要每个 SM 的 program 数，不是一共几个。
Across go the programs on each SM, not those on all of them.

unsorted
点没有按横轴排好，连线会来回折：先排序。
The points are not in order of the horizontal axis, so the line runs back and forth: sort first.

other points
{stages} 级、每个 SM {programs} 个 program：应画在 {want} µs，{got}。
{stages} stages, {programs} programs on an SM: should be at {want} µs; {got_en}.

no axis labels
两根轴都要写上是什么，用 axes.set_xlabel 和 axes.set_ylabel。
Say what both axes are, with axes.set_xlabel and axes.set_ylabel.

no curve labels
两条曲线要分得清：给 axes.plot 一个 label，再用 axes.legend() 显示出来。
Tell the curves apart: give axes.plot a label, and show the labels with axes.legend().

labels exchanged
标签贴错了：{stages} 级的那条曲线，标签说的是别的级数。
A label is on the wrong curve: the one with {stages} stages is called by another number.
""")
