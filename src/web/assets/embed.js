/**
 * Shows the open times where the script stands on a website, in a frame as tall as its page, in the
 * website's scheme: `data-theme` (`light` or `dark`) of the script, or else of the document. It runs on
 * other websites, so it defines no globals, and accepts messages of its own frame only.
 */
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const page = document.documentElement;
  const { origin } = new URL(script.src);
  const frame = document.createElement('iframe');
  frame.src = `${origin}/book?theme=${theme()}`;
  frame.title = 'Book a session';
  frame.loading = 'lazy';
  frame.style.cssText = 'display: block; width: 100%; height: 50rem; border: 0';
  script.after(frame);

  function theme() {
    const named = script.dataset['theme'] ?? page.dataset['theme'] ?? '';
    return /^(light|dark)$/.test(named) ? named : 'auto';
  }

  const changes = new MutationObserver(sendTheme);
  for (const each of [script, page]) changes.observe(each, { attributeFilter: ['data-theme'] });

  let isShown = false;

  function sendTheme() {
    if (isShown) frame.contentWindow?.postMessage({ theme: theme() }, origin);
  }

  addEventListener('message', (event) => {
    if (event.source !== frame.contentWindow || event.origin !== origin) return;
    const { height, isNewPage } = event.data ?? {};
    if (!Number.isInteger(height) || height < 1 || height > 100_000) return;
    frame.style.height = `${height}px`;
    // The visitor followed a link further down; the first page does not take them from what they read.
    if (isShown && isNewPage && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
    isShown = true;
    // It may have changed since the address of the page was made.
    if (isNewPage) sendTheme();
  });
})();
