import PostalMime from 'postal-mime';

export interface ReceivedMail {
  /** In the order of arrival, from 1. */
  number: number;
  from: string;
  to: string;
  subject: string;
  at: Date;
  html: string | null;
  text: string | null;
  /** The calendar part. */
  calendar: string | null;
}

export async function parseMail(raw: Buffer, number: number): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
  const calendar = mail.attachments.find(({ mimeType }) => mimeType === 'text/calendar');
  return {
    number,
    from: mail.from?.name || mail.from?.address || '',
    to: mail.to?.map(({ name, address }) => name || address).join(', ') ?? '',
    subject: mail.subject ?? '',
    at: new Date(),
    html: mail.html ?? null,
    text: mail.text ?? null,
    calendar: typeof calendar?.content === 'string' ? calendar.content : null,
  };
}
