import { type Static, Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { StudioNotice } from '../../database/rows/studio.js';
import { maxNotices, noticeFields } from '../../domain/studio/fields.js';
import { Field } from '../../web/field.js';
import { anyText, form, text } from '../../web/forms.js';
import { noticesPath } from '../links.js';
import { FoldedForm } from '../parts.js';

/** A form of a notice that was refused. */
export interface RefusedNotice {
  form: PostedNotice;
  mistakes: NoticeMistakes;
}

export interface NoticesProps {
  notices: readonly StudioNotice[];
  refused: RefusedNotice | null;
}

/** The notices for people, each with the form that changes it. */
export function Notices({ notices, refused }: NoticesProps): VNode {
  // A typed notice whose original is gone can still be added.
  const refusedPlace = notices.findIndex(({ title }) => title === refused?.form.from?.title);
  return (
    <>
      <p class="muted">
        People read them before they book, on the page of their booking, in their calendar and in
        their mails.
      </p>
      {notices.length === 0 && <p class="muted">There are none.</p>}
      <ul class="notice-list">
        {notices.map((notice, place) => (
          <li key={notice.title}>
            <h3>
              <bdi>{notice.title}</bdi>
            </h3>
            <p class="words">
              <bdi>{notice.text}</bdi>
            </p>
            <div class="acts">
              <ChangeNotice
                notice={notice}
                place={place}
                refused={place === refusedPlace ? refused : null}
              />
              <FoldedForm
                label="Remove"
                of={notice.title}
                action={`${noticesPath}/remove`}
                hidden={seenFields(notice)}
              >
                <button class="small">Remove this notice</button>
              </FoldedForm>
            </div>
          </li>
        ))}
      </ul>
      {notices.length < maxNotices || (refused !== null && refusedPlace === -1) ? (
        <FoldedForm
          label="Add a notice"
          isOpen={refused !== null && refusedPlace === -1}
          action={noticesPath}
        >
          <NoticeFields id="new" {...fieldsOf(refusedPlace === -1 ? refused : null, null)} />
          <button class="small">Add this notice</button>
        </FoldedForm>
      ) : (
        <p class="muted">There can be {maxNotices} notices at most.</p>
      )}
    </>
  );
}

interface ChangeNoticeProps {
  notice: StudioNotice;
  place: number;
  refused: RefusedNotice | null;
}

function ChangeNotice({ notice, place, refused }: ChangeNoticeProps): VNode {
  return (
    <FoldedForm
      label="Change"
      of={notice.title}
      isOpen={refused !== null}
      action={noticesPath}
      hidden={seenFields(notice)}
    >
      <NoticeFields id={`notice-${place}`} {...fieldsOf(refused, notice)} />
      <button class="small">Save this notice</button>
    </FoldedForm>
  );
}

function seenFields({ title, text }: StudioNotice): Record<string, string> {
  return { seen_title: title, seen_text: text };
}

interface NoticeFieldsProps {
  id: string;
  typed: StudioNotice;
  mistakes: NoticeMistakes;
}

function fieldsOf(
  refused: RefusedNotice | null,
  notice: StudioNotice | null,
): Omit<NoticeFieldsProps, 'id'> {
  return {
    typed: refused?.form.to ?? notice ?? { title: '', text: '' },
    mistakes: refused?.mistakes ?? {},
  };
}

function NoticeFields({ id, typed, mistakes }: NoticeFieldsProps): VNode {
  return (
    <>
      <Field
        name="title"
        id={`${id}-title`}
        label="Title"
        value={typed.title}
        mistake={mistakes.title}
      />
      <Field
        name="text"
        id={`${id}-text`}
        label="Text"
        rows={4}
        value={typed.text}
        mistake={mistakes.text}
      />
    </>
  );
}

export type NoticeMistakes = Partial<Record<keyof StudioNotice, string>>;

/** A form that adds a notice or changes one. */
export interface PostedNotice {
  /** The notice as the page showed it; null for a new one. */
  from: StudioNotice | null;
  /** The notice as it was typed. */
  to: StudioNotice;
}

const seen = { seen_title: text, seen_text: text };

export const noticeSchema = form({
  title: anyText,
  text: anyText,
  // This is missing in a form that adds a notice.
  seen_title: Type.Optional(text),
  seen_text: Type.Optional(text),
});

/** A form that removes a notice. */
export const removeNoticeSchema = form(seen);

export function readNoticeForm(posted: Static<typeof noticeSchema.body>): PostedNotice {
  const { title, text, seen_title, seen_text } = posted;
  const isNew = seen_title === undefined || seen_text === undefined;
  return { from: isNew ? null : seenNotice({ seen_title, seen_text }), to: { title, text } };
}

/** The notice as the page showed it. */
export function seenNotice({
  seen_title: title,
  seen_text: text,
}: Static<typeof removeNoticeSchema.body>): StudioNotice {
  return { title, text };
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
