import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

export const asksAdminCode = setting({
  key: 'sign-in.asks-admin-code',
  group: text`Signing in`,
  label: text`Ask Admins for a code after the password`,
  help: text`Admins enter a code every 30 days on each device, once an email or text message has been delivered.`,
  kind: 'yesNo',
  default: true,
});
