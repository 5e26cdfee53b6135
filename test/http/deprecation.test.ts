import t from 'tap';
import { document } from '../../generated/document.js';
import { startTestService } from '../support/service.js';

t.test(
  'an operation that is to end says since when, and until when, on every answer',
  async (t) => {
    const booking = document.paths['/api/public/bookings/{id}']?.['get'] as object;
    Object.assign(booking, {
      deprecated: true,
      'x-deprecated-since': '2027-01-01',
      'x-sunset': '2027-07-01',
    });
    const { app } = await startTestService(t);
    for (const method of ['GET', 'HEAD'] as const) {
      const { headers } = await app.inject({ method, url: '/api/public/bookings/unknown' });
      t.match(headers, { deprecation: '@1798761600', sunset: 'Thu, 01 Jul 2027 00:00:00 GMT' });
    }
    const { headers } = await app.inject('/api/public/studio');
    t.notHas(headers, { deprecation: String }, 'and no other does');
    t.notHas(headers, { sunset: String });
  },
);
