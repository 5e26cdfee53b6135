export function linkToWebhook(id: string): string {
  return `/console/webhooks/${id}`;
}
