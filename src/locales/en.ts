/**
 * The sentences of the person's pages, mails, invitations and the view in chats, in English: ICU
 * messages, one whole sentence or label each. `{name}` is an argument, which is text that is ready to be
 * shown; `<map>…</map>` is an element that the page makes. In a plural, `=1` is exactly one, and `one` is
 * what the language counts like one. `#` is the number with separators (`2,000`), `{n}` without. A key says where a sentence stands and
 * what it is for. Write apostrophes as ’: a straight one before a brace would quote it.
 */
export const en = {
  // Words that several places share
  'shared.notices.heading': 'Good to know',
  'shared.coming_address': 'From {day}, sessions are at {address}.',
  'shared.who_acts':
    'An assistant may hold a time and hand it over. Only the person confirms, moves, releases, cancels, holds again or asks for a code.',
  'shared.ask_studio': 'If you need another time, write to {email} or call {phone}.',

  // The layout of every page
  'layout.title': '{title} – {studio}',
  'layout.no_studio': 'The studio',
  'layout.privacy': 'Privacy',

  // The checkout page: a hold, a confirmed session, one that has ended
  'checkout.title.pending': 'This time is held for you',
  'checkout.title.confirmed': 'Your session is confirmed',
  'checkout.title.asked': 'Please choose another time',
  'checkout.title.begun': 'This session was confirmed',
  'checkout.title.expired': 'Your hold has ended',
  'checkout.title.released': 'This time was released',
  'checkout.title.cancelled': 'This session is cancelled',
  'checkout.where.term': 'Where',
  'checkout.where': '{address} <map>Open the map</map>',
  'checkout.where.moving': '{address}, our address from {day} <map>Open the map</map>',
  'checkout.pay.term': 'To pay',
  'checkout.pay': 'Nothing now, and no card.',
  'checkout.contact.term': 'For',
  'checkout.contact': '{email}, {phone}',
  'checkout.hold': 'Held for you for {left}, until {until}.',
  'checkout.hold.no_time': 'no more time',
  'checkout.hold.announcement':
    '{minutes, plural, =0 {The hold has ended. The page reloads and shows what you can do.} =1 {Less than a minute is left to confirm your session.} other {{minutes} minutes are left to confirm your session.}}',
  'checkout.hold.ends':
    'If the hold ends, nothing is lost: one button holds the time again with the same details, as long as nobody else has taken it.',
  'checkout.confirm.button': 'Confirm my session',
  'checkout.choose.button': 'Choose another time',
  'checkout.release.button': 'Release this time',
  'checkout.other_artists': 'At the same time, you can have it with {artists}.',
  'checkout.changed':
    'The time, the place or the details of your booking have changed since you opened the page: it is on {time} now. Nothing was done. Press the button again if that is right.',
  'checkout.no_change': 'Nothing has changed.',
  'checkout.studio_word': 'A word from us:',
  'checkout.reach': 'Write to {email} or call {phone}.',
  'checkout.back': 'Back to my booking',
  'checkout.confirmed.coming': 'See you then. There is nothing more to do.',
  'checkout.confirmed.moved': 'It has been moved to this time. See you then.',
  'checkout.confirmed.moved_by_studio':
    'It has been moved to this time, and we are sorry for the change. See you then.',
  'checkout.confirmed.asked':
    'We cannot be there at this time, and are sorry. Please choose another time.',
  'checkout.confirmed.begun': 'This session has begun.',
  'checkout.confirmed.over': 'This session is over.',
  'checkout.confirmed.too_late':
    'It can no longer be cancelled here. If something went wrong, write to us or call.',
  'checkout.another_session': 'Would you like another session?',
  'checkout.another_time': 'Would you like another time?',
  'checkout.another':
    '<book>See what is open and book it</book>. You can also ask your assistant, or write to us.',
  'checkout.calendar.button': 'Add to my calendar',
  'checkout.calendar.again':
    'If the old time is in your calendar, add it again: it replaces that entry.',
  'checkout.calendar.download': 'You can also <download>download the file</download>.',
  'checkout.calendar.cancelled':
    'If it is in your calendar, <calendar>mark it as cancelled there</calendar> (or <download>download the file</download>).',
  'checkout.move.button': 'Move to another time',
  'checkout.mail.sent.confirmation': 'We have mailed your confirmation to {address}.',
  'checkout.mail.sent.time': 'We have mailed your new time to {address}.',
  'checkout.mail.pending.confirmation': 'Your confirmation is on its way to {address}.',
  'checkout.mail.pending.time': 'Your new time is on its way to {address}.',
  'checkout.mail.failed.confirmation':
    'The mail with your confirmation to {address} could not be sent.',
  'checkout.mail.failed.time': 'The mail with your new time to {address} could not be sent.',
  'checkout.keep':
    'Keep this page’s address: it shows your booking, and you change or cancel it here.',
  'checkout.keep.anyone':
    'Anyone who has the address can do the same, so please keep it to yourself.',
  'checkout.keep.code': 'For that, you type a code that we send to you.',
  'checkout.keep.ask': 'For that, write to us or call.',
  'checkout.cancel.summary': 'I cannot come',
  'checkout.cancel': 'Cancelling makes the time available to others at once.',
  'checkout.cancel.move': 'If you only want another time, <move>move the session</move>.',
  'checkout.cancel.button': 'Cancel my session',
  'checkout.expired.open':
    'It was not confirmed in time, but the time is still open and your details are kept.',
  'checkout.expired.held':
    'The hold ended before it was confirmed, and another person now holds this time. It may open again within minutes.',
  'checkout.expired.taken':
    'The hold ended before it was confirmed, and another person has booked this time.',
  'checkout.expired.erased':
    'The hold ended before it was confirmed. The time is still open, but your details have been deleted.',
  'checkout.expired.gone':
    'The hold ended before it was confirmed, and this time can no longer be booked.',
  'checkout.hold_again.button': 'Hold it again',
  'checkout.hold_again.next': 'It is then held again, and you confirm it on the next page.',
  'checkout.hold_other.legend':
    'These are open, and all that you typed is kept. Choose one, and hold it.',
  'checkout.hold_other.button': 'Hold the time you chose',
  'checkout.hold_other.none':
    'You have not chosen one of the times that are open. Nothing is held; what you typed is kept.',
  'checkout.hold_other.kept': 'Nothing is held; what you typed is kept.',
  'checkout.cancelled.by_person': 'The time is available to others again, and you owe nothing.',
  'checkout.cancelled.by_studio': 'We had to cancel it, and are sorry. You owe nothing.',
  'checkout.cancelled.released': 'Nothing was booked, and you owe nothing.',

  // The page where a code is typed
  'code.ask.confirm':
    'We need a code to confirm: we send six digits to {address}, and you type them on the next page.',
  'code.ask.cancel':
    'We need a code to cancel: we send six digits to {address}, and you type them on the next page.',
  'code.ask.move':
    'We need a code to move a confirmed session: we send six digits to {address}, and you type them on the next page.',
  'code.asked.confirm':
    'We need a code to confirm. You have asked for one, which goes to {address}.',
  'code.asked.cancel': 'We need a code to cancel. You have asked for one, which goes to {address}.',
  'code.asked.move':
    'We need a code to move a confirmed session. You have asked for one, which goes to {address}.',
  'code.no_address.confirm': 'We need a code to confirm, and have no e-mail address to send it to.',
  'code.no_address.cancel': 'We need a code to cancel, and have no e-mail address to send it to.',
  'code.no_address.move':
    'We need a code to move a confirmed session, and have no e-mail address to send it to.',
  'code.your_address': 'your address',
  'code.send.button': 'Send me the code',
  'code.type.button': 'Type the code',
  'code.title.ask.confirm': 'You need a code to confirm your session',
  'code.title.ask.cancel': 'You need a code to cancel your session',
  'code.title.ask.move': 'You need a code to move your session',
  'code.title.enter.confirm': 'Type the code to confirm your session',
  'code.title.enter.cancel': 'Type the code to cancel your session',
  'code.title.enter.move': 'Type the code to move your session',
  'code.not_yet.confirm': 'Your session is not confirmed yet.',
  'code.not_yet.cancel': 'Your session is not cancelled yet.',
  'code.not_yet.move': 'Your session has not moved yet.',
  'code.lead.ask': 'We send six digits to {address}, and you type them here.',
  'code.lead.enter': 'We sent six digits to {address} at {time}.',
  'code.right.confirm':
    'When the digits are right, your session on {time} is confirmed, and we mail you the confirmation.',
  'code.right.cancel':
    'When the digits are right, your session on {time} is cancelled, and the time becomes available to others at once. We mail you that it is cancelled.',
  'code.right.move':
    'When the digits are right, your session moves from {from} to {to}, and we mail you the new time.',
  'code.keep': 'Keep my session',
  'code.not_sent': 'The mail with your code could not be sent.',
  'code.field.label': 'The six digits',
  'code.field.title': 'Six digits',
  'code.field.until': 'The code is valid in this browser until {time}.',
  'code.field.filled': 'If you paste it, or your device fills it in, it is sent at once.',
  'code.no_mail.summary': 'No mail has come',
  'code.no_mail':
    'It takes a minute at most. Look among the spam, too. A new code makes the one before invalid.',
  'code.no_mail.button': 'Send me a new code',
  'code.wrong_address.pending':
    'If the address is wrong, it cannot be corrected here: release this time, and hold it anew with the right address.',
  'code.wrong_address.confirmed':
    'If the address is wrong, it cannot be corrected here: write to us or call.',
  'code.exhausted.booking': 'No more codes are sent for this booking for now.',
  'code.exhausted.network': 'Too many codes were asked for from your internet connection.',
  'code.exhausted.studio': 'More codes were asked for than we send in an hour.',
  'code.exhausted.next': 'The next one can be sent on {moment}.',
  'code.exhausted.next_today': 'The next one can be sent at {time}.',
  'code.exhausted.valid':
    'One that we sent to this browser is valid until its time is over; if you cannot find it, write to us or call.',
  'code.missing':
    'No code is valid in this browser: each is typed where it was asked for, within 10 minutes. Nothing has changed. Ask for a new one.',
  'code.invalid.unreadable': 'Type the six digits of the code. Nothing has changed.',
  'code.invalid':
    '{tries, plural, =0 {These are not the digits of your newest code, and it cannot be typed again. Nothing has changed. Ask for a new one.} =1 {These are not the digits of your newest code. Nothing has changed. You can type it once more.} other {These are not the digits of your newest code. Nothing has changed. You can type it # more times.}}',

  // The pages of a move
  'move.choose.title': 'Choose another time',
  'move.choose.pending': 'Held for you now: {time}. <keep>Keep it</keep>',
  'move.choose.confirmed': 'Your session now: {time}. <keep>Keep it</keep>',
  'move.choose.stays': 'This time stays yours until you press the button on the next page.',
  'move.choose.anyone': 'Anyone',
  'move.choose.zone': 'All times are the studio’s, in {city}.',
  'move.confirm.title': 'Move from {from} to {to}?',
  'move.confirm.heading': '<first>Move from {from}</first> <second>to {to}?</second>',
  'move.confirm.address': 'The session is then at another address: {address}.',
  'move.confirm.hold': 'It is then held for you until {time}, and you confirm it on the next page.',
  'move.confirm.freed': 'Your present time becomes available to others at once.',
  'move.confirm.button': 'Move to this time',
  'move.confirm.back': 'Back to the open times',
  'move.confirm.keep': 'Keep the time I have',
  'move.refused.title': 'Please ask us to move it',
  'move.refused.unchanged': 'Your booking is unchanged: {time}.',
  'move.refused.notice':
    'You can move a session online until {hours, plural, =1 {an hour} other {{hours} hours}} before it begins. For yours, that was {time}.',
  'move.refused.number.pending':
    'You can change a time that is held at most {moves, plural, =1 {once} =2 {twice} other {{moves} times}}, and you have done so.',
  'move.refused.number.confirmed':
    '{moves, plural, =0 {A confirmed session cannot be moved online.} =1 {You can move a confirmed session online at most once, and you have done so.} =2 {You can move a confirmed session online at most twice, and you have done so.} other {You can move a confirmed session online at most {moves} times, and you have done so.}}',
  // How often the booking can be moved: 0 where no number binds the person.
  'move.left.pending':
    '{moves, plural, =0 {You can still change the time while it is held. That does not extend the hold, which ends at {time}.} =1 {You can still change the time once while it is held. That does not extend the hold, which ends at {time}.} =2 {You can still change the time twice while it is held. That does not extend the hold, which ends at {time}.} other {You can still change the time {moves} times while it is held. That does not extend the hold, which ends at {time}.}}',
  'move.left.confirmed':
    '{moves, plural, =0 {You can move it, which does not count as a move of yours, until {time}.} =1 {You can still move it once, until {time}.} =2 {You can still move it twice, until {time}.} other {You can still move it {moves} times, until {time}.}}',
  'move.left.once_confirmed':
    '{moves, plural, =0 {Once it is confirmed, you can still move it, until {time}.} =1 {Once it is confirmed, you can still move it once, until {time}.} =2 {Once it is confirmed, you can still move it twice, until {time}.} other {Once it is confirmed, you can still move it {moves} times, until {time}.}}',
  'move.none_once_confirmed.notice':
    'It begins within {hours, plural, =1 {an hour} other {{hours} hours}}: once it is confirmed, you cannot move it online.',
  'move.none_once_confirmed': 'Once it is confirmed, you cannot move it online.',
  'move.left_after.pending':
    '{moves, plural, =0 {After that, you can still change it while it is held.} =1 {After that, you can still change it once while it is held.} =2 {After that, you can still change it twice while it is held.} other {After that, you can still change it {moves} times while it is held.}}',
  'move.left_after.confirmed':
    '{moves, plural, =0 {After that, you can still move it, until {time}.} =1 {After that, you can still move it once, until {time}.} =2 {After that, you can still move it twice, until {time}.} other {After that, you can still move it {moves} times, until {time}.}}',
  'move.none_after.pending': 'After that, you cannot change it again while it is held.',
  'move.none_after.notice': 'It begins so soon that you cannot move it online again.',
  'move.none_after.number': 'After that, you cannot move it online again.',
  'move.nothing_lost': 'Nothing is lost: your booking is as it was.',
  'move.somebody_else':
    'Please choose a time with somebody else. Nothing is lost: your booking is as it was.',
  'move.not_understood.title': 'Choose a time',
  'move.not_understood.text': 'We did not understand which time you chose. Nothing has changed.',
  'move.artist_at_cap.title': 'Please choose another artist or week',

  // Open times, other times, and the pages under /book
  'open_times.heading': 'Open times in {month}',
  'open_times.months': 'Months',
  'open_times.month': '{month} <count>{open, plural, other {# open}}</count>',
  'open_times.length': 'A session takes about {hours, plural, one {# hour} other {# hours}}.',
  'open_times.first': 'The first begins on {moment}.',
  'open_times.none': 'Nothing is open in {month}. Please try another month.',
  'open_times.slot': '{time} on {day}',
  'open_times.zone': 'All times are the studio’s, in {city}.',
  'open_times.artists': 'Artists',
  'open_times.artists.anyone': 'Anyone',
  'other_times.same_time': 'At {time} on other days',
  'other_times.same_day': 'On the same day',
  'other_times.others': 'Other times',
  'book.description': 'Choose an open time at {studio}, and book it. Booking is free.',
  'book.title': 'Book a session',
  'book.title.day': 'Book on {day}',
  'book.lead':
    'Choose a time. We hold it for you for {minutes, plural, =1 {a minute} other {{minutes} minutes}} while you confirm. Booking is free.',
  'book.lead.none':
    'Nothing is open at the moment. Times open again after a cancellation, and as new dates come up.',
  'book.day_closed.title': 'That day is not open',
  'book.day_closed': 'Nothing is open on {day}.',
  'book.not_understood.title': 'Choose a time',
  'book.not_understood': 'We did not understand which time you chose. Nothing is held.',
  'book.choose_other_time': 'Please choose another one.',
  'book.choose_artist': 'Please choose one of these.',
  'book.show_all': 'Show all open times',
  'book.assistants':
    'Your assistant can hold a time for you, too. <guide>What assistants need to know</guide>',
  'book.filter': 'Only some days or times',
  'book.filter.chosen': 'Only {choices}',
  'book.filter.days': 'Days',
  'book.filter.times': 'Times of day',
  'book.filter.button': 'Show these',
  'own_hold.held.heading': 'You are holding a time',
  'own_hold.held': '{session} is held for you until {end}, and is not confirmed yet.',
  'own_hold.held.open': 'Go on and confirm',
  'own_hold.held.release': 'Let it go',
  'own_hold.booked.heading': 'You have booked this time',
  'own_hold.booked': 'Your session on {session} is confirmed.',
  'own_hold.booked.open': 'Open my booking',
  'own_hold.not_me': 'Not me',

  // The form of a hold, and its mistakes
  'form.title': 'Book this time',
  'form.where': '{address}, our address from {day}',
  'form.other_times': 'These are open. Choose one, and hold it with what you have typed.',
  'form.optional': '(optional)',
  'form.name': 'Your name',
  'form.email': 'Your e-mail address',
  'form.email.hint.none': 'Please check it: it cannot be changed later.',
  'form.email.hint.confirmation':
    'We mail your confirmation there. Please check it: it cannot be changed later.',
  'form.email.hint.code':
    'We mail you a code there, which you need to confirm. Please check it: it cannot be changed later.',
  'form.phone': 'Your phone number',
  'form.phone.hint': 'A US number, such as (555) 555-0142. Without one, write to {email}.',
  'form.pronouns': 'Your pronouns',
  'form.pronouns.hint': 'For example she/her.',
  'form.idea': 'Your idea',
  'form.idea.hint':
    'What you would like, where on the body, and about how large. At most {limit, number} characters.',
  'form.terms':
    'We hold the time for you for {minutes, plural, =1 {a minute} other {{minutes} minutes}}, and you confirm it on the next page. Booking is free.',
  'form.hold': 'Hold this time',
  'form.hold.chosen': 'Hold the time you chose',
  'form.replace': 'Let it go, and hold it with these details',
  'form.choose_another': 'Choose another time',
  'form.questions': 'Questions? Write to {email} or call {phone}.',
  'form.mistakes.title': 'Something needs correcting',
  'form.mistakes':
    '{count, plural, =1 {One answer needs correcting.} other {# answers need correcting.}} Nothing is held yet.',
  'mistake.missing.name': 'Please type your name.',
  'mistake.missing.email': 'Please type your e-mail address.',
  'mistake.missing.phone': 'Please type your phone number.',
  'mistake.wrong.email': 'This is not an e-mail address. One looks like ada@example.com.',
  'mistake.wrong.phone': 'Please type a US phone number: ten digits, such as (555) 555-0142.',
  'mistake.characters.name':
    'Some characters in your name cannot be stored. Please leave them out.',
  'mistake.characters.pronouns':
    'Some characters in your pronouns cannot be stored. Please leave them out.',
  'mistake.characters.idea':
    'Some characters in your idea cannot be stored. Please leave them out.',
  'mistake.too_long.name':
    'Your name can have at most {limit, number} characters; there are {length, number}.',
  'mistake.too_long.pronouns':
    'Your pronouns can have at most {limit, number} characters; there are {length, number}.',
  'mistake.too_long.idea':
    'Your idea can have at most {limit, number} characters; there are {length, number}.',

  // Why a hold is refused
  'not_open.no_session.title': 'That time is not open',
  'not_open.no_session': 'We have no session on {time}.',
  // The artist whom the person has chosen has none
  'not_open.no_session.artist': '\u2068{artist}\u2069 has no session on {time}, though others may.',
  'not_open.past.title': 'That time is over',
  'not_open.past': '{time} has passed.',
  'not_open.too_soon.title': 'That time is too soon',
  'not_open.too_soon': '{time} is too soon to be booked.',
  'not_open.too_far.title': 'That time is too far ahead',
  'not_open.too_far': '{time} cannot be booked yet.',
  'not_open.taken.title': 'That time has been taken',
  'not_open.taken': '{time} is no longer free.',
  'artist.unknown.title': 'We do not know this artist',
  'artist.unknown': 'There is no artist like that.',
  'artist.unknown.named': 'There is no artist called “\u2068{name}\u2069”.',
  'artist.hidden.title': 'This artist takes no bookings now',
  'artist.hidden': '\u2068{name}\u2069 takes no new bookings.',
  'other_session.title': 'You have another session then',
  other_session:
    'You already have a session at that time: {session}. One person has one session at a time; the page of that booking changes its artist or its time.',
  'refusal.nothing_new': 'Nothing new is held; what you typed is still here.',
  'refusal.let_go': 'What you held before is let go.',
  'refusal.rate_limited.title': 'No more holds for now',
  'refusal.rate_limited':
    'Please press the button again in {minutes, plural, =1 {a minute} other {{minutes} minutes}}, or ask us.',
  'refusal.too_many_holds.title': 'Too many times are held right now',
  'refusal.too_many_holds':
    'We hold only a limited number of times for people who are still deciding. Please press the button again in {minutes, plural, =1 {a minute} other {{minutes} minutes}}.',
  'refusal.unexpected.title': 'Something went wrong on our side',
  'refusal.unexpected':
    'Please press the button again in a moment: it holds the time once, however often you press. What you typed is still here.',
  'refusal.none_chosen.title': 'Choose a time',
  'refusal.none_chosen': 'You have not chosen one of the times that are open.',
  'refusal.free_again': '{time} is free again, too.',
  'refusal.artist_lost': 'Press the button again to hold the time with whoever is free.',
  'refusal.held_already.title': 'You already hold this time',
  'refusal.held_already':
    'You can go on with the details that you gave then, or let it go and hold it with those below.',
  'refusal.booked_already.title': 'You have booked this time',
  'refusal.booked_already': 'If you would like one more session, choose another time.',
  'limit.requests': 'There were too many requests from your internet connection.',
  'limit.holds':
    'As many times were held from your internet connection as we allow within an hour.',
  'limit.bookings': 'You have as many sessions held or booked as we allow at once.',
  'limit.artist':
    'From your internet connection, a third of this artist’s open times of that week are held already. Another artist or another week may have room for you.',

  // Pages of errors
  'error.again': 'Try again',
  'error.choose_time': 'Choose a time',
  'error.front_page': 'Go to the front page',
  'error.reference': 'Reference: {id}',
  'error.no_page.title': 'There is no such page',
  'error.no_page': '<p>The address may be mistyped, or the page has moved.</p>',
  'error.not_found.title': 'We do not know this link',
  'error.not_found':
    '<p>It may be incomplete. Open it again from the message that it came in, or copy all of it, to the last letter.</p><p>A booking has a new link once we have corrected its e-mail address: look for it in your mail from us.</p><p>If it still does not open, ask for a new link where you got this one, or ask us.</p>',
  'error.forbidden.title': 'Please press the button yourself',
  'error.forbidden':
    '<p>Only you can do this, on our own page. Open your booking link in your browser, and press the button there.</p><p>If you are an automated agent: stop here, and give the link to the person you book for.</p>',
  'error.origin_mismatch.title': 'This page is open at another address',
  'error.origin_mismatch':
    '<p>This page was not opened at the studio’s own address, {address}, and its buttons work only there. Nothing has changed. Open the page at that address, and press the button again.</p><p>If you run this service: set PUBLIC_BASE_URL to the address at which people open it.</p>',
  'error.not_understood.title': 'We did not understand that',
  'error.not_understood': '<p>Open the page again, and use its buttons.</p>',
  'error.method_not_allowed.title': 'This address shows nothing',
  'error.method_not_allowed':
    '<p>It belongs to a button of a page. Open the page again, and press the button there.</p>',
  'error.payload_too_large.title': 'That is too much text',
  'error.payload_too_large':
    '<p>We cannot read a form that long. Go back, and shorten what you typed.</p>',
  'error.too_many_pending_holds.title': 'Too many times are held right now',
  'error.too_many_pending_holds':
    '<p>We hold only a limited number of times for people who are still deciding. Go back and try again in {minutes, plural, =1 {a minute} other {{minutes} minutes}}; your details are kept.</p>',
  'error.rate_limited.title': 'Please try again later',
  'error.rate_limited':
    '<p>{cause} Please try again in {minutes, plural, =1 {a minute} other {{minutes} minutes}}.</p><p>Your bookings are not affected. If it is urgent, write to us or call.</p>',
  'error.service_unavailable.title': 'We cannot reach our calendar',
  'error.service_unavailable':
    '<p>This is a problem on our side, and usually a short one. Your bookings are safe, and a time that is held for you stays held until its end.</p><p>Please load this page again in a moment.</p>',
  'error.unexpected.title': 'Something went wrong on our side',
  'error.unexpected':
    '<p>We have recorded the error. Please load the page again in a moment; it shows the state of your booking.</p><p>If it happens again, write to us and quote the reference below.</p>',

  // The front page
  'front.title': '{studio}: open times',
  'front.choose': 'Choose a time',
  'front.how':
    'Choose an open time, tell us who you are, and confirm. Booking is free, and a session takes about {hours, plural, one {# hour} other {# hours}}.',
  'front.visit.heading': 'Where and when',
  'front.visit.map': 'Open the map',
  'front.visit.days': '{from} – {to}',
  'front.visit.from': 'From {from}',
  'front.visit.dated': '{dates}, {days}',
  'front.visit.hours': '{opens} – {closes}',
  'front.visit.closed': 'closed',
  'front.visit.midnight': 'midnight',
  'front.assistant.heading': 'With an assistant',
  'front.assistant':
    'Your assistant can hold a time for you and give you a link; you open it and confirm. All that it needs to know is in <guide>the guide</guide>.',
  'front.calendar.heading': 'The next 31 days',
  'front.calendar.unscripted': 'As of when you opened the page: load it again to update it.',
  'front.calendar.live': 'Live',
  'front.calendar.not_live_yet': 'Not live yet; trying again.',
  'front.calendar.not_live_since': 'Not live since {time}; trying again.',
  'front.next_open': '<label>Next open</label> {session}',
  'front.next_open.none': 'Nothing is open at the moment.',
  'front.legend': 'Symbols',
  'front.day': '{weekday}, {month}\u00a0{day}',
  'front.today': 'today',
  'front.slot.link': '{hour}<hidden> on {day},</hidden> {open}',
  'front.slot.held_until': 'held<until> until {time}</until>',
  'front.slot.open': 'open',
  'front.slot.held': 'held',
  'front.slot.taken': 'taken',
  'front.slot.closed': 'closed',
  'front.slot.over': 'over',
  'front.slot.too_soon': 'too soon',
  'front.slot.not_yet': 'not yet',
  'front.changes.heading': 'Latest changes',
  'front.changes.none': 'Nothing has changed yet.',
  'front.changes.held': '{day}, {hour} is held',
  'front.changes.taken': '{day}, {hour} is taken',
  'front.changes.freed': '{day}, {hour} is free again',

  // Privacy, reminders
  'privacy.title': 'Privacy',
  // A second language adds a cookie and a stored choice, which belong here then.
  'privacy.lead':
    'When you book, {studio} keeps your name, e-mail address and telephone number, and your pronouns and your idea if you give them. Pages set only the cookies by which they know what this browser holds, and load nothing from other websites.',
  'privacy.kept.label': 'What is kept',
  'privacy.why_it_is_kept': 'Why it is kept',
  'privacy.why_it_is_kept.session':
    'To keep your session, to reach you about it, and to know what was agreed.',
  'privacy.why_it_is_kept.networks':
    'Hashes of networks keep one caller from taking all times, and others from guessing codes.',
  'privacy.where_it_came_from': 'Where it came from',
  'privacy.where_it_came_from.you':
    'From you, or from the assistant that asked for you; from the studio, where it wrote something down.',
  'privacy.who_else_gets_it': 'Who else gets it',
  'privacy.who_else_gets_it.studio': 'The people of the studio.',
  'privacy.who_else_gets_it.mail':
    'The mail server that sends the mails to you and to the studio, and the mailboxes that they are in.',
  'privacy.who_else_gets_it.programs':
    'Calendars of the studio that show a session, and programs that asked for news of it; a copy of your data lists them. Such news has the time, the status and the id of a session, and nothing that names you.',
  'privacy.who_else_gets_it.everybody': 'Everybody can see that a time is taken, but not by whom.',
  'privacy.how_long_it_is_kept': 'How long it is kept',
  // These two settings may be any number, which stands here without separators.
  'privacy.how_long_it_is_kept.details':
    'Your details: for {unconfirmed, plural, other {{unconfirmed} days}} after a hold lapsed or a booking was cancelled, and for {confirmed, plural, other {{confirmed} days}} after a confirmed session. The night after, they are erased; a note of the studio about you, with the last of your bookings. The time, the status and the history of the session stay, and then name nobody.',
  'privacy.how_long_it_is_kept.sent':
    'That a mail was sent, for {mails, plural, one {# day} other {# days}}; a code, for {codes, plural, one {# day} other {# days}}. That news was sent to a program, for {webhooks, plural, one {# day} other {# days}}. An API key, until {unconfirmed, plural, other {{unconfirmed} days}} after it was revoked.',
  'privacy.what_is_not_kept': 'What is not kept',
  'privacy.what_is_not_kept.addresses':
    'The address of your computer or phone (IP address): only keyed hashes of its network. Requests are counted by address for an hour at most, outside the database.',
  'privacy.what_is_not_kept.payments': 'Cards and payments: the service takes none.',
  'privacy.what_is_not_kept.mails':
    'The text of mails, and the address they went to: only the kind of each, and whether it was sent.',
  'privacy.what_is_not_kept.secrets':
    'The digits of codes and the links of pages: only hashes and encrypted copies, which no copy shows, since whoever has a link could change the booking.',
  'privacy.what_is_not_kept.corrected': 'Details as they were before a correction.',
  'privacy.what_is_not_kept.visits':
    'Which pages you looked at: the log has the method, route, status and duration of requests, and nothing that names you.',
  'privacy.what_you_may_ask_for': 'What you may ask for',
  'privacy.what_you_may_ask_for.copy':
    'A copy of it; that your details are corrected or erased, or no longer used: write to {email}, or call {phone}.',
  'privacy.what_you_may_ask_for.complaint':
    'If you do not agree with the answer, you may complain to the supervisory authority for data protection.',
  'reminders.title': 'Reminders of your sessions',
  'reminders.title.stopped': 'No more reminders',
  'reminders.on': 'We remind {email} of sessions by e-mail.',
  'reminders.stopped':
    'We no longer remind {email} of sessions by e-mail. We still write when a session is confirmed, moved or cancelled.',
  'reminders.erased':
    'Your address and all your other details have been erased, so we cannot remind you.',
  'reminders.stop': 'Stop reminders',
  'reminders.resume': 'Remind me again',

  // Mails: subjects
  'mail.subject.confirmed': 'Confirmed: {time} · {studio}',
  'mail.subject.corrected': 'Confirmed: {time} · {studio}',
  'mail.subject.moved': 'Moved to {time} · {studio}',
  'mail.subject.retimed': 'Still on {time} · {studio}',
  'mail.subject.readdressed': 'New address for {time} · {studio}',
  'mail.subject.kept': 'As booked: {time} · {studio}',
  'mail.subject.asked': 'Please choose another time: {time} · {studio}',
  'mail.subject.asked_again': 'Reminder, please choose another time: {time} · {studio}',
  'mail.subject.reminder': 'Reminder: {time} · {studio}',
  'mail.subject.cancelled': 'Cancelled: {time} · {studio}',
  'mail.subject.code': 'Your code for {time} · {studio}',

  // Mails about a session that will take place
  'mail.coming.preview': '{address}. What to know beforehand, and what to do if you cannot come.',
  'mail.coming.title.confirmed': 'Your session is confirmed',
  'mail.coming.title.corrected': 'Your session is confirmed',
  'mail.coming.title.moved': 'Your session has moved',
  'mail.coming.title.retimed': 'Your session is still at {time}',
  'mail.coming.title.readdressed': 'The address of your session has changed',
  'mail.coming.title.kept': 'Your session stays as booked',
  'mail.coming.title.asked': 'Please choose another time',
  'mail.coming.title.reminder': 'Your session is on',
  'mail.coming.lead.confirmed': 'See you then. There is nothing more to do.',
  'mail.coming.lead.corrected':
    'This is the e-mail address of your booking now, and its link is a new one: a former link opens nothing any more. See you then.',
  'mail.coming.lead.moved.person': 'You moved it to this time. See you then.',
  'mail.coming.lead.moved.studio':
    'We moved it to this time. If it does not suit you, reply to this e-mail or call us.',
  'mail.coming.lead.moved.other': 'It has been moved to this time. See you then.',
  'mail.coming.lead.retimed':
    'Nothing changes for you: it begins at {time} at the studio, as before. The clocks of its time zone change by new rules. If your phone or calendar shows another time, the invitation in this e-mail corrects it.',
  'mail.coming.lead.readdressed':
    'Only the place changes: the day and the time stay as they are. If it does not suit you, reply to this e-mail or call us.',
  'mail.coming.lead.kept': 'You need not choose another time after all. See you then.',
  'mail.coming.lead.asked':
    'We cannot be there at this time, and are sorry. Please choose another one: you can until the session would begin, and it does not count as a move of yours.',
  'mail.coming.lead.reminder': 'See you then. There is nothing more to do.',
  'mail.coming.before': 'Before',
  'mail.coming.pay': 'Nothing now. Booking is free, and no card is asked for.',
  'mail.coming.open': 'Open my booking',
  'mail.coming.page':
    'The page shows your booking. To move or cancel it there, you type a code that we send to this address when you ask for it.',
  'mail.coming.page.no_link':
    'The page on which you confirmed shows your booking. To move or cancel it there, you type a code that we send to this address when you ask for it.',
  'mail.coming.cannot_come.heading': 'If you cannot come',
  'mail.coming.cannot_come':
    'To cancel your session, open the page of your booking; it also says whether you can still move the session. Declining the invitation in your calendar cancels nothing.',
  'mail.coming.cannot_come.no_link':
    'To cancel your session, open the page on which you confirmed; it also says whether you can still move the session. Declining the invitation in your calendar cancels nothing.',
  'mail.coming.reminders': 'We remind you once before each session. <stop>Stop reminders</stop>',

  // Mails about one that will not
  'mail.cancelled.preview': 'You owe nothing. What to do if you would like another time.',
  'mail.cancelled.title': 'Your session is cancelled',
  'mail.cancelled.lead.person':
    'You cancelled it. The time is available to others again, and you owe nothing.',
  'mail.cancelled.lead.studio': 'We had to cancel it, and are sorry. You owe nothing.',
  'mail.cancelled.lead.other': 'It will not take place, and you owe nothing.',
  'mail.cancelled.reason': 'The reason:',
  'mail.cancelled.calendar':
    'If your calendar still shows it as confirmed, please delete it there.',
  'mail.cancelled.another.heading': 'If you would like another time',
  'mail.cancelled.another':
    'See what is open and book it on our page. Or ask your assistant, or write to us.',
  'mail.cancelled.record': '<page>The page of your booking</page> stays as a record.',
  'mail.cancelled.record.no_link': 'The page on which you confirmed stays as a record.',

  // Mails with a code
  'mail.code.preview':
    'Your code is {digits}, for {minutes, plural, =1 {a minute} other {{minutes} minutes}}, until {until}.',
  'mail.code.title.confirm': 'Your code to confirm your session',
  'mail.code.title.change': 'Your code to move or cancel',
  'mail.code.valid.term': 'Valid',
  'mail.code.valid':
    'for {minutes, plural, =1 {a minute} other {{minutes} minutes}}, until {until} in {city}',
  'mail.code.session': 'Session',
  'mail.code.lead': 'Type or paste it on the page where you asked for it.',
  'mail.code.not_you.heading': 'If it was not you',
  'mail.code.not_you.confirm':
    'Do nothing: without these digits, nothing is confirmed. Do not share them, not even with your assistant, or with a caller who claims to be from the studio.',
  'mail.code.not_you.change':
    'Do nothing: without these digits, nothing changes. Do not share them, not even with your assistant, or with a caller who claims to be from the studio.',

  // Parts of several mails
  'mail.large': '<first>{weekday},</first><next>{month} {day}, {year},</next><next>{hours}</next>',
  'mail.zone.artist': '{zone}, with {artist}',
  'mail.word': 'A word from us:',
  'mail.not_you': 'If that was not you, reply to this e-mail.',
  'mail.another_time': 'Choose another time',
  'mail.questions': 'Questions? Reply to this e-mail, write to {email} or call {phone}.',
  'calendar_file.session': 'Session at {studio}',
  'calendar_file.session.artist': 'Session with {artist} at {studio}',
  'calendar_file.page': 'Your booking, and how to change or cancel it: {link}',
  'calendar_file.change':
    'To move or cancel your session, use the link in our e-mail. Declining here cancels nothing.',
  'calendar_file.cancelled': 'This session is cancelled.',
  'calendar_file.questions': 'Questions: {email}, {phone}',

  // Times, durations and numbers
  'time.hours': '{start}\u00a0– {end}',
  'time.session': '{day}, {hours}',
  'time.moment': '{day} at {time}',
  // In large letters: three lines, and a fine one for the zone.
  'time.large':
    '<first>{weekday}, </first><second>{month}\u00a0{day}, <small>{year}</small> </second><third>{hours} </third><fine>{zone}</fine>',
  'time.own_clock': '({time} on your clock)',
  'time.artist': ' with {artist}',
  'time.with_artist': '{time} with {artist}',
  'time.minutes_left': '{minutes, plural, =1 {one more minute} other {{minutes} more minutes}}',

  // The view shown in chats
  'view.waiting.title': 'One moment, please',
  'view.retry': 'Try again',
  'view.try_again':
    '{wait, select, none {Please try again.} seconds {Please try again {count, plural, =1 {in a second} other {in # seconds}}.} other {Please try again in {count, plural, other {{count} minutes}}, at {time}.}}',
  'view.not_connected': 'This chat cannot show the open times here.',
  'view.not_readable': 'This answer cannot be shown here. The assistant can read it to you.',
  'view.when.zone': '{zone}, {year}',

  'view.times.title.unread': 'Open times',
  'view.times.title': '{days, plural, =0 {Nothing is open} other {Open times}}',
  'view.times.title.artist':
    '{days, plural, =0 {Nothing is open with {artist}} other {Open times with {artist}}}',
  'view.times.clock': 'These are on the studio’s clock: {zone}.',
  'view.times.clock.yours': 'Yours shows {zone}.',
  'view.times.ask': 'Tell the assistant which time you would like.',
  'view.times.dates': '{first} to {last}',
  'view.times.none': 'No session is open on these dates: {dates}.',
  'view.times.no_more': 'Nothing more is open, {dates}.',
  'view.times.time': '{time} on {day}',
  'view.times.more_days': '{days, plural, one {Show # more day} other {Show # more days}}',
  'view.times.later_dates': 'Look at later dates',
  'view.times.reading': 'Looking…',
  'view.times.refused.cancelled': 'The assistant stopped before the studio answered.',
  'view.times.refused.rate_limited': 'The open times cannot be read again yet.',
  'view.times.refused.artist': 'The studio has no such artist who takes bookings.',
  'view.times.refused.dates': 'These dates cannot be shown.',
  'view.times.refused': 'The open times could not be read.',

  'view.artists.button': 'Choose an artist',
  'view.artists.list': 'Artists',
  'view.artists.anyone': 'Anyone',
  'view.artists.refused': 'Who works here could not be read. Please try again in a minute.',

  'view.form.title': 'Hold this time',
  'view.form.title.refused': 'Nothing is held yet',
  'view.form.name': 'Your name',
  'view.form.email': 'Your e-mail address',
  'view.form.phone': 'Your phone number',
  'view.form.phone.hint': 'A US number, such as (555) 555-0142.',
  'view.form.optional': 'Pronouns and your idea (optional)',
  'view.form.pronouns': 'Your pronouns',
  'view.form.idea': 'Your idea',
  'view.form.idea.hint': 'What you would like, where on the body, how large.',
  'view.form.terms':
    'The studio holds the time for you for a few minutes, and you confirm it on its page. Booking is free.',
  'view.form.button': 'Hold this time',
  'view.form.sending': 'Holding it…',
  'view.form.back': 'Choose another time',
  'view.form.name.missing': 'Please type your name.',
  'view.form.email.missing': 'Please type your e-mail address.',
  'view.form.phone.missing': 'Please type your phone number.',
  'view.form.name.mistaken': 'Please type your name as letters that can be seen, 120 at most.',
  'view.form.email.mistaken': 'This is not an e-mail address. One looks like ada@example.com.',
  'view.form.phone.mistaken': 'Please type a US phone number: ten digits, such as (555) 555-0142.',
  'view.form.pronouns.mistaken': 'Please type at most 40 characters.',
  'view.form.idea.mistaken': 'Please type at most 2,000 characters.',

  'view.refused.without_tools': 'The studio has not held it. The assistant can tell you why.',
  'view.refused.invalid': 'The studio cannot hold this time. Please choose another one.',
  'view.refused.rate_limited': 'You cannot hold more times for now.',
  'view.refused.too_many': 'Too many times are held right now.',
  'view.refused.typed': 'What you typed is still here.',
  'view.refused.cancelled':
    'The assistant stopped before the studio answered. You can hold it here.',
  'view.refused.no_answer': 'The studio has not answered as it should.',
  'view.refused.press_again':
    '{wait, select, none {Please press the button again: it holds the time once, however often you press.} seconds {Please press the button again {count, plural, =1 {in a second} other {in # seconds}}: it holds the time once, however often you press.} other {Please press the button again in {count, plural, other {{count} minutes}}, at {time}: it holds the time once, however often you press.}}',

  'view.taken.title': 'That time is not free',
  'view.taken.no_others': 'It may just have been taken. Please choose another time.',
  'view.taken.others': 'It may just have been taken. These are open.',
  'view.taken.press': 'One press holds one of them with what you have typed.',
  'view.taken.ask': 'Tell the assistant which of them you would like.',

  'view.page.title': 'Hold this time on the studio’s page',
  'view.page.lead':
    'Nothing is held yet. The page holds it with this artist once you press its button.',
  'view.page.button': 'Open the studio’s page',
  'view.page.opened': 'Go on at the page that has opened.',

  'view.held.title': 'Held for you, not confirmed yet',
  'view.held.lead': 'Held until {time} {zone}. Only you can confirm it, on the studio’s page.',
  'view.held.button': 'Open the page that confirms it',
  'view.held.opened': 'Confirm it on the page that has opened. This view shows when you have.',
  'view.held.minutes_left':
    '{minutes, plural, one {# minute is left to confirm.} other {# minutes are left to confirm.}}',
  'view.link.at': 'The page is at {host}.',
  'view.link.none': 'Ask the assistant for the link.',
  'view.link.not_opened': 'The chat has not opened the page. Copy the address into your browser.',
  'view.link.address': 'Copy this address into your browser',
  'view.link.copy': 'Copy',
  'view.link.copied': 'Copied',
  'view.link.copied.announcement': 'The address is copied.',
  'view.link.selected': 'Selected',
  'view.link.selected.announcement': 'The address is selected.',

  'view.ended.announcement': '{title}. {lead}',
  'view.confirmed.title': 'Confirmed',
  'view.confirmed.lead': 'The session is yours. See you then.',
  'view.cancelled.title': 'This is cancelled',
  'view.cancelled.lead': 'The time is not held for you any more.',
  'view.expired.title': 'The hold has ended',
  'view.expired.lead': 'Nothing is booked.',
  'view.expired.lead.by_clock': 'Unless you have confirmed it, nothing is booked.',
  'view.ended.press': 'If the time is still free, one press holds it again.',
  'view.ended.ask': 'Tell the assistant if you would like another one.',
  'view.ended.again': 'Hold it again',
  'view.ended.others': 'See other times',
} as const;
