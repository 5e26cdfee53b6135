// Made from src/locales/en.ts by `npm run generate`; never edited by hand.

/** The arguments of each sentence, by its key. */
export interface MessageArguments<Text = string, Element = never> {
  'shared.notices.heading': {};
  'shared.coming_address': { day: Text; address: Text };
  'shared.who_acts': {};
  'shared.ask_studio': { email: Text; phone: Text };
  'layout.title': { title: Text; studio: Text };
  'layout.no_studio': {};
  'layout.privacy': {};
  'checkout.title.pending': {};
  'checkout.title.confirmed': {};
  'checkout.title.asked': {};
  'checkout.title.begun': {};
  'checkout.title.expired': {};
  'checkout.title.released': {};
  'checkout.title.cancelled': {};
  'checkout.where.term': {};
  'checkout.where': { address: Text; map: Element };
  'checkout.where.moving': { address: Text; day: Text; map: Element };
  'checkout.pay.term': {};
  'checkout.pay': {};
  'checkout.contact.term': {};
  'checkout.contact': { email: Text; phone: Text };
  'time.hours': { start: Text; end: Text };
  'time.session': { day: Text; hours: Text };
  'time.moment': { day: Text; time: Text };
  'time.large': {
    first: Element;
    weekday: Text;
    second: Element;
    month: Text;
    day: Text;
    small: Element;
    year: Text;
    third: Element;
    hours: Text;
    fine: Element;
    zone: Text;
  };
  'time.artist': { artist: Text };
  'time.with_artist': { time: Text; artist: Text };
  'time.minutes': { minutes: number };
  'time.minutes_left': { minutes: number };
}
