// Every kernel of the page that Python wrote into it.
const cells = [...document.querySelectorAll('.kernel:has(> script.task)')].map(box => {
  const task = JSON.parse(box.querySelector('script.task').textContent);
  return task.check ? new Exercise(box, task) : mount(box, task);
});
