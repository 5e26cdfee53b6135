import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Scope } from './service-log.js';

/** A self-signed certificate for 127.0.0.1 with its key, for tests. */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9RH1/YfcbGea6L5l
CeC2c5Vk0TxQKXTjSB9NOKnmjQehRANCAAQU4Lf1Q+X6zDVvedy+rtwMKvYCGpoQ
CtNLD6E6HiYjYQ6dQpGb4SUc35Z/Xevl3m2e4U+0Fcgt7jTuFH2a7Spl
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUIDCt0odUelW4dYB+Q28H1HH3Yx0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTAxMDEzN1oYDzIxMjYxMDI4
MDEwMTM3WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQU4Lf1Q+X6zDVvedy+rtwMKvYCGpoQCtNLD6E6HiYjYQ6dQpGb4SUc
35Z/Xevl3m2e4U+0Fcgt7jTuFH2a7Splo2QwYjAdBgNVHQ4EFgQU/qNE3SgdWg/w
lagvpK+tBz13jgswHwYDVR0jBBgwFoAU/qNE3SgdWg/wlagvpK+tBz13jgswDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IQDyhLyMphj415xx+5R2AuHnKcrjWE9CAGLjk/uf46KQOwIgBc+P3OqWvOVxdcyO
RxzfEjK7Df91C+whkuIQAAUMERg=
-----END CERTIFICATE-----`,
};

/** A server with this certificate, which no client trusts. */
export async function startUntrusted(t: Scope): Promise<{ url: string; requestCount(): number }> {
  let count = 0;
  const server = createServer(selfSigned, (_request, response) => {
    count += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}/`, requestCount: () => count };
}
