/** Who holds it may look at everything (`READ_PERMISSION` of the service). */
export const readPermission = (): string => document.documentElement.dataset.readPermission ?? '';
