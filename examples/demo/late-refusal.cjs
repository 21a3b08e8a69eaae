/** Loaded before a program, this breaks one rule of the service: a deactivated user's token goes on being accepted. */
const { Callers } = require('../../dist/auth/callers.js');

const { identify } = Callers.prototype;
Callers.prototype.identify = async function (claims) {
  try {
    return await identify.call(this, claims);
  } catch (error) {
    if (error instanceof Error && error.message.endsWith(' is inactive')) {
      return { kind: 'user', id: String(claims.userId), administrator: false };
    }
    throw error;
  }
};
