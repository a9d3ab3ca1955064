import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

export const secondPublishes = setting({
  key: 'fee.second-publishes',
  group: text`Fees`,
  label: text`A second person publishes prices`,
  help: text`Prices are published by a finance approver or principal who did not change them last.`,
  kind: 'yesNo',
  default: true,
});
