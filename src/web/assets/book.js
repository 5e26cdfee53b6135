/**
 * A page that the browser has kept (back-forward cache) is loaded again when it is shown: its times may
 * have been taken since. Everything else works without this script.
 */

addEventListener('pageshow', (event) => {
  // Not a reload, which would post a form again; with a fragment, nothing would be loaded.
  if (event.persisted) location.replace(location.pathname + location.search);
});

/**
 * Going back to the answer to a form, which is not stored, would show the browser's question whether to
 * send the form again. So once the answer is left, its history entry becomes the address of the form;
 * not before, so that a reload keeps what was typed.
 */
addEventListener('pagehide', () => {
  const form = document.querySelector('form[data-address]');
  if (form !== null) history.replaceState(null, '', form.getAttribute('data-address'));
});

/** In a frame, the page tells `embed.js` how tall it is, which tells it the website's scheme. */
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

  addEventListener('message', ({ source, data }) => {
    if (source === parent && /^(auto|light|dark)$/.test(data?.theme)) showTheme(data.theme);
  });
}

/**
 * Shows the page in a scheme, and those that its links lead to.
 * @param {string} theme
 */
function showTheme(theme) {
  document.documentElement.dataset['theme'] = theme;
  for (const link of document.links) {
    const address = link.getAttribute('href')?.replace(/(?<=[?&]theme=)\w+/, theme);
    if (address !== undefined) link.setAttribute('href', address);
  }
  const field = document.querySelector('input[name=theme]');
  field?.setAttribute('value', theme);
}
