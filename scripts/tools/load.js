/**
 * Imports a package that is installed here.
 *
 * @param {string} name
 */
export const load = (name) => import(name);
