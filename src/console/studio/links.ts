export const studioPath = '/console/studio';

/** Where the forms of the notices are posted. */
export const noticesPath = '/console/studio/notices';
