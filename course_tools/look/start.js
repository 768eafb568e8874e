// Language and theme, from the address (storage is unreliable in a page opened as a file), else from the reader's system.
(() => {
  const root = document.documentElement, asked = new URLSearchParams(location.search);
  const among = (value, known) => known.includes(value) ? value : undefined;
  root.dataset.lang ||= among(asked.get('lang'), ['zh', 'en', 'both']) ?? (/^zh/i.test(navigator.language) ? 'zh' : 'en');
  if (among(asked.get('theme'), ['light', 'dark'])) root.dataset.theme = asked.get('theme');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  // JupyterLab's way of saying it, which the course's pictures know.
  const tell = () => root.dataset.jpThemeLight = (root.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'light';
  dark.addEventListener('change', tell);
  root.addEventListener('theme', tell);
  tell();
})();
