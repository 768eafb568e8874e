// An exercise that the page judges: Check says what the notebook's check would say. The answer unfolds once somebody has tried.
const VERDICTS = {
  right: ['✓ 对了', '✓ Right'], wrong: ['✗ 还不对', '✗ Not right yet'], 'not yet': ['… 还没有', '… Not yet'],
};

class Exercise extends Cell {
  constructor(box, task) {
    super(box, task);
    this.answer = box.closest('main')?.querySelector(`[data-answer="${CSS.escape(task.check.name)}"]`);
    if (kept.get(`solved.${task.check.name}`)) this.say('right', two('✓ 解出来过。', '✓ Solved before.'));
    this.fold();
    this.editor.field.addEventListener('focus', async () => { while ((await ask('foresee', this.asked())).answer === false); }, {once: true});
  }

  asked() { return {...super.asked(), exercise: this.task.check.exercise}; }

  run(answer) {
    if (/(^|=|return)\s*\.\.\.\s*(#.*)?$/m.test(this.text)) this.say('wrong', two('`...` 还没有换成代码：什么也没有算。写好再运行，或者先按“单步”看看它拿到什么。', 'Where `...` stands, nothing is computed yet. Write your code and run it; or press Step to see what it is given.'));
    else super.run(answer);
  }

  check({status, zh, en, line}) {
    const {name} = this.task.check, [markZh, markEn] = VERDICTS[status];
    this.settle(line);
    this.out.replaceChildren(make('p', {className: status === 'right' ? 'right' : 'wrong', role: 'status'},
      make('b', {}, ...both([markZh, markEn])), ' ', ...two(zh, en)));
    if (status !== 'not yet') kept.set(`tried.${name}`, 1);
    if (status === 'right') kept.set(`solved.${name}`, 1);
    this.fold();
  }

  // A kernel that does not parse has been tried too.
  refuse(refused) {
    super.refuse(refused);
    kept.set(`tried.${this.task.check.name}`, 1);
    this.fold();
  }

  fold() {
    if (!this.answer) return;
    const tried = kept.get(`tried.${this.task.check.name}`) || kept.get(`solved.${this.task.check.name}`);
    for (const fold of this.answer.querySelectorAll('details')) fold.hidden = !tried;
    this.hint ??= make('p', {className: 'text quiet'}, ...both(['检查过一次，答案就在这里。', 'Once you have checked, the answer is here.']));
    if (tried) this.hint.remove();
    else this.answer.append(this.hint);
  }
}
