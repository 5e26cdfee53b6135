/**
 * Shows the forms for passkeys where the browser has passkeys, and lets the browser sign what they post:
 * on a press of their button it fetches a challenge, and sends what the passkey made of it as a field.
 */
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

const requestTimeoutMs = 10_000;

for (const form of document.querySelectorAll('form')) {
  if (form.dataset['passkey'] === undefined) continue;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(form);
  });
}
if (browserSupportsWebAuthn()) {
  for (const part of document.querySelectorAll('[data-passkeys]')) part.removeAttribute('hidden');
}

/** @param {HTMLFormElement} form */
async function submit(form) {
  const button = form.querySelector('button');
  if (button === null || button.disabled) return;
  button.disabled = true;
  say(form, '');
  try {
    const options = await fetchOptions(form.dataset['options'] ?? '');
    const credential =
      form.dataset['passkey'] === 'add'
        ? await startRegistration({ optionsJSON: options })
        : await startAuthentication({ optionsJSON: options });
    setField(form, 'credential', JSON.stringify(credential));
    const next = form.elements.namedItem('next');
    // The address that was asked for shows how to sign in.
    if (next instanceof HTMLInputElement && next.value === '') {
      next.value = location.pathname + location.search;
    }
    form.submit();
  } catch (error) {
    say(form, explain(error));
  } finally {
    button.disabled = false;
  }
}

/** @param {string} url */
async function fetchOptions(url) {
  const signal = AbortSignal.timeout(requestTimeoutMs);
  const response = await fetch(url, { headers: { accept: 'application/json' }, signal });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

/** @param {unknown} error */
function explain(error) {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'This device has a passkey for the console already.';
  if (name === 'AbortError') return 'Nothing was done: the passkey was not confirmed.';
  // Browsers do not tell a device that cannot check its user from a person who gives up.
  if (name === 'NotAllowedError' || name === 'ConstraintError') {
    return 'Nothing was done: the passkey was not confirmed. The device must check who uses it: set a PIN, a fingerprint or a face on it, or use another device.';
  }
  return 'That did not work. Open the page again, and try once more.';
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 */
function say(form, text) {
  const place = form.querySelector('[role=alert]');
  if (place === null) return;
  place.textContent = text;
  place.toggleAttribute('hidden', text === '');
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} value
 */
function setField(form, name, value) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
}
