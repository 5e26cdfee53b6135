/** The fields of a row. Some are of bookings or of closures only. */
export const fields = {
  name: 'whose booking it is',
  email: 'the e-mail address',
  phone: 'the telephone number',
  pronouns: 'the pronouns',
  idea: 'what the person has in mind',
  artist: 'the artist whose session it is',
  start: 'the date and time at which it begins',
  end: 'the date and time at which it ends',
  zone: 'the time zone of these times',
  status: 'whether it is booked or cancelled',
  reason: 'the reason, which only the studio reads',
};

export type Field = keyof typeof fields;

/** A column of a file, by its place. */
export interface Column {
  heading: string;
  index: number;
}

/**
 * Headings of Cal.com, Square, Acuity, Fresha, Google Calendar, Outlook and others, without spaces and
 * marks; the first that a file has counts, for `status` all. With `+`: both columns. A guest's time zone
 * is left out: it is seldom that of the times.
 */
const known: Readonly<Record<Field, string>> = {
  name: 'attendeename clientname customername inviteename guestname client customer attendee attendee1 invitee fullname clientfirstname+clientlastname firstname+lastname name summary subject title',
  email:
    'attendeeemail clientemail customeremail inviteeemail guestemail emailaddress email clientemailaddress',
  phone:
    'attendeephonenumber attendeephone clientphone customerphone phonenumber mobilenumber mobile phone telephone textremindernumber',
  pronouns: 'pronouns',
  idea: 'idea appointmentnotes bookingnotes clientnotes customernotes additionalnotes notes note',
  artist:
    'artist artistname staff staffname staffmember provider providername employee employeename host hostname teammember teammembername serviceprovider staffer stylist calendar calendarname',
  start:
    'startdate+starttime appointmentdate+starttime scheduleddate+starttime date+starttime scheduleddate+scheduledtime appointmentdate+appointmenttime appointmentdate+time scheduleddate+time bookingdate+time date+time date+timeslot startdatetime startdateandtime appointmentdatetime appointmentdateandtime bookingdatetime datetime dateandtime starttime startsat start appointmenttime scheduledfor from startdate fromdate scheduleddate date',
  end: 'enddate+endtime date+endtime enddatetime enddateandtime endtime endsat end to enddate todate until',
  zone: 'timezone eventtimezone appointmenttimezone tz',
  status:
    'status appointmentstatus bookingstatus reservationstatus eventstatus timestatus appointmentstate bookingstate',
  reason: 'reason summary subject title name description',
};

/** Headings such as `Cancelled`, `Cancelled At`, `Cancellation date`: a filled cell cancels the row. */
const cancelling = /^(?:is|was)?cancell?(?:ed|ed(?:at|on|by|date|time)|ation(?:date|time|reason))$/;

/** In English, Spanish, French, German and Portuguese. */
const ofStates =
  /cancel|status|state$|storn|ann?ul|abgesagt|estado|statut|^[eé]tat|situa[cç]|zustand/;

const words = new Set(Object.values(known).flatMap((all) => all.split(/[ +]/)));

/** A heading in lower case, without spaces and marks. */
export function bare(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

export function isKnownHeading(heading: string): boolean {
  return words.has(bare(heading)) || isCancelling(heading);
}

/** Whether a filled cell in the column means that the row is cancelled. */
export function isCancelling(heading: string): boolean {
  return cancelling.test(bare(heading));
}

/** Whether the heading speaks of states, such as `State` or `Payment status`. */
export function speaksOfStates(heading: string): boolean {
  return ofStates.test(bare(heading));
}

/** The columns that a field has by their headings; none if no heading is known. */
export function guessColumns(field: Field, columns: readonly Column[]): Column[] {
  const alternatives = known[field].split(' ');
  if (field === 'status') {
    return columns.filter(
      ({ heading }) => alternatives.includes(bare(heading)) || isCancelling(heading),
    );
  }
  for (const alternative of alternatives) {
    const found = alternative
      .split('+')
      .map((part) => columns.find(({ heading }) => bare(heading) === part));
    if (found.every((column) => column !== undefined)) return found;
  }
  return [];
}
