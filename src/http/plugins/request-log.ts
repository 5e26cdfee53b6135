import fastifyPlugin from 'fastify-plugin';

/**
 * One line per request. It names the route and not the address: an address may carry a checkout
 * token, and headers may carry keys.
 */
export const requestLogPlugin = fastifyPlugin((app, _options, done) => {
  app.addHook('onResponse', (request, reply, next) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      },
      'request',
    );
    next();
  });
  done();
});
