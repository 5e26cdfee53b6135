/**
 * Where the browser keeps a page that was left, and shows it again as it was, it is loaded again: the
 * times may have been taken since. Everything else works without this script.
 */

addEventListener('pageshow', (event) => {
  // Not a reload, which would post a form again.
  if (event.persisted) location.replace(location.href);
});
