import type { StudioNotice } from '../../database/studio-tables.js';
import { noticeFields } from '../../domain/studio-fields.js';
import { formRefused, type Fields } from '../../web/form-fields.js';

export type NoticeMistakes = Partial<Record<keyof StudioNotice, string>>;

/** A form that adds a notice or changes one. */
export interface NoticeForm {
  /** The notice as the page showed it; null for a new one. */
  from: StudioNotice | null;
  /** As it was typed. */
  to: StudioNotice;
}

/** Reads a form that was posted. Throws `invalid_request` if it is not that of the page. */
export function readNoticeForm(fields: Fields): NoticeForm {
  const from = seenNotice(fields);
  const to = readNotice(fields['title'], fields['text']);
  if (to === null) throw formRefused();
  return { from, to };
}

/** The notice as the page showed it; null without one. */
export function seenNotice(fields: Fields): StudioNotice | null {
  return readNotice(fields['seen_title'], fields['seen_text']);
}

function readNotice(title: unknown, text: unknown): StudioNotice | null {
  return typeof title === 'string' && typeof text === 'string' ? { title, text } : null;
}

/** The notice as it is stored; null if something is wrong with it. */
export function checkNotice({ title, text }: StudioNotice): {
  notice: StudioNotice | null;
  mistakes: NoticeMistakes;
} {
  const [titleChecked, textChecked] = [noticeFields.title(title), noticeFields.text(text)];
  if ('value' in titleChecked && 'value' in textChecked) {
    const notice = { title: titleChecked.value, text: textChecked.value };
    return { notice, mistakes: {} };
  }
  return {
    notice: null,
    mistakes: {
      ...('problem' in titleChecked && { title: titleChecked.problem }),
      ...('problem' in textChecked && { text: textChecked.problem }),
    },
  };
}
