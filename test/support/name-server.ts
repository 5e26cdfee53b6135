import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * A DNS server on loopback (RFC 1035, over UDP): answers A and AAAA with the addresses of its table,
 * fails for 'SERVFAIL' ('A SERVFAIL': for A alone), and says of any other name that it does not exist.
 */
export async function startNameServer(
  table: Record<string, string[] | 'SERVFAIL' | 'A SERVFAIL'>,
): Promise<{ address: string; close(): Promise<void> }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let end = 12;
    for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
      labels.push(query.toString('latin1', end + 1, end + 1 + length));
      end += 1 + length;
    }
    end += 1;
    const family = query.readUInt16BE(end) === 28 ? 6 : 4;
    const question = query.subarray(12, end + 4);
    const found = table[labels.join('.').toLowerCase()];
    const hasFailed = found === 'SERVFAIL' || (found === 'A SERVFAIL' && family === 4);
    const records = Array.isArray(found) ? found.filter((each) => isIP(each) === family) : [];
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (hasFailed ? 2 : found ? 0 : 3), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    const answers = records.map((address) => {
      const data = Buffer.from(ipaddr.parse(address).toByteArray());
      const type = family === 6 ? 28 : 1;
      // The name by a pointer to the question; class IN; a time to live of 0.
      return Buffer.concat([
        Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]),
        data,
      ]);
    });
    socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}
