/** The most live subscriptions (contract, "Webhooks"); disabled ones do not count. */
export const webhookCaps = { perAddress: 10, perHost: 20, total: 1_000 } as const;

/** How many of the last deliveries a subscriber is shown. */
export const recentDeliveriesShown = 20;
