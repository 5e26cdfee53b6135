/**
 * Where the browser keeps a page that was left, and shows it again as it was, it is loaded again: the
 * times may have been taken since. Everything else works without this script.
 */

addEventListener('pageshow', (event) => {
  // Not a reload, which would post a form again; with a fragment, nothing would be loaded.
  if (event.persisted) location.replace(location.pathname + location.search);
});

/**
 * Going back to the answer to a form, which no browser stores, would show a page about sending the form
 * again. So its entry in the history leads to the address of the form from when it is left: not before,
 * so that a reload keeps what was typed.
 */
addEventListener('pagehide', () => {
  const form = document.querySelector('form[data-address]');
  if (form !== null) history.replaceState(null, '', form.getAttribute('data-address'));
});

/** In a frame, the website around it makes the frame as tall as the page. */
if (parent !== window) {
  const page = document.documentElement;
  let height = 0;
  new ResizeObserver(() => {
    const isNewPage = height === 0;
    const current = Math.ceil(page.getBoundingClientRect().height);
    if (current === height) return;
    height = current;
    // To whichever website may frame the page: a height is no secret.
    parent.postMessage({ height, isNewPage }, '*');
  }).observe(page);
}
