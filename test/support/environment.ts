import type { Test } from 'tap';

/** Sets variables of this process's environment until the test has ended. */
export function setEnvironment(t: Test, variables: Record<string, string>): void {
  const names = Object.keys(variables);
  const before = names.map((name) => process.env[name]);
  t.teardown(() => {
    for (const [index, name] of names.entries()) {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  Object.assign(process.env, variables);
}

/** As of a machine whose outgoing requests should go through a proxy. */
export function proxyVariables(origin: string): Record<string, string> {
  return {
    HTTP_PROXY: origin,
    http_proxy: origin,
    HTTPS_PROXY: origin,
    ALL_PROXY: origin,
    NODE_USE_ENV_PROXY: '1',
  };
}
