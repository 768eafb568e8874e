// Every kernel of the page that Python wrote into it.
for (const box of document.querySelectorAll('.kernel:has(> script.task)')) {
  const task = JSON.parse(box.querySelector('script.task').textContent);
  mount(box, task);
}
