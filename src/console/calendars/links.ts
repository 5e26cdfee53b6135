export const calendarsPath = '/console/calendars';
export const feedsPath = `${calendarsPath}/feeds`;
export const watchedPath = `${calendarsPath}/watched`;
