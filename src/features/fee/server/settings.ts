import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

export const secondPublishes = setting({
  key: 'fee.second-publishes',
  group: text`Fees`,
  label: text`A second person publishes prices`,
  help: text`Another person, a finance approver or principal, approves prices before they are published.`,
  kind: 'yesNo',
  default: true,
});
