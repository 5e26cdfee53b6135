export const signInsPath = '/console/sign-ins';
