const sixDigits = /^\s*\d{3}\s?\d{3}\s*$/;
const pressedTwiceMs = 5_000;

/**
 * Sends the form of a code that is pasted or filled in; one that is typed waits for the button. Pressing
 * the button meanwhile does not send it again, which would count as another try.
 */
export function sendFilledCode() {
  const field = document.getElementById('code');
  if (!(field instanceof HTMLInputElement) || field.form === null) return;
  const { form } = field;
  document.getElementById('code-filled')?.removeAttribute('hidden');
  let { length } = field.value;
  let sentAt = -pressedTwiceMs;
  field.addEventListener('input', (event) => {
    const isPasted = event instanceof InputEvent && event.inputType === 'insertFromPaste';
    const isFilled = isPasted || field.value.length > length + 1;
    ({ length } = field.value);
    if (isFilled && sixDigits.test(field.value)) {
      form.requestSubmit(form.querySelector('button[name=action]'));
    }
  });
  form.addEventListener('submit', (event) => {
    if (event.timeStamp - sentAt < pressedTwiceMs) event.preventDefault();
    else sentAt = event.timeStamp;
  });
}
