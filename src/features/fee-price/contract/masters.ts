import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster, namedBy } from '#kit/contract/master.ts';
import { options, text } from '#kit/contract/text.ts';
import { fineRuleNames } from './fine-rule.ts';
import { frequencyNames } from './frequency.ts';

export const receiptSeriesMaster = defineMaster({
  table: 'fee_receipt_series',
  path: '/fee/receipt-series',
  singular: text`receipt series`,
  plural: text`receipt series`,
  description: text`Fees of one series are receipted together, such as those of the school and of its trust.`,
  access: feeWriters,
  readAccess: feeReaders,
  optionAccess: feeReaders,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    shortName: field.text(text`Short name`, { max: 12 }),
    heading: field.text(text`Heading of the receipt`, { max: 200, optional: true, isAside: true }),
    upiId: field.text(text`UPI address`, {
      max: 97,
      optional: true,
      isAside: true,
      like: /^[A-Za-z0-9._-]{2,64}@[A-Za-z0-9.-]{2,32}$/,
      message: text`Enter an address such as school@bank.`,
      hint: text`Printed as a QR code on demand slips.`,
    }),
  },
});

const headCategories = options(
  'Admission',
  'Tuition',
  'Term',
  'Exam',
  'Activity',
  'Lab',
  'Library',
  'Transport',
  'Hostel',
  'Meal',
  'Uniform',
  'Deposit',
  'Fine',
  'Other',
);

export const headMaster = defineMaster({
  table: 'fee_head',
  path: '/fee/head',
  singular: text`fee head`,
  plural: text`fee heads`,
  description: text`Purposes that the school charges for, such as tuition and exams.`,
  access: feeWriters,
  readAccess: feeReaders,
  optionAccess: feeReaders,
  fields: {
    name: field.text(text`Name`, { max: 80 }),
    shortName: field.text(text`Short name`, { max: 12 }),
    category: field.oneOf(text`Category`, { options: headCategories }),
    frequencyId: field.ref(text`Frequency`, { to: frequencyNames }),
    appliesTo: field.oneOf(text`Charged to`, {
      options: options('All students', 'New students', 'Existing students'),
      isAside: true,
    }),
    proRata: field.oneOf(text`Joins or leaves late`, {
      options: options('None', 'Month', 'Day'),
      hint: text`None: the whole amount. Month or Day: only the months or days of the student.`,
    }),
    isOptional: field.yesNo(text`Optional`, { isAside: true }),
    isRefundable: field.yesNo(text`Refundable`, { isAside: true }),
    isDiscountable: field.yesNo(text`Concessions`),
    priority: field.number(text`Priority`, {
      least: 1,
      most: 99,
      hint: text`A payment settles the lowest number first.`,
    }),
    receiptSeriesId: field.ref(text`Receipt series`, { to: namedBy(receiptSeriesMaster) }),
    fineRuleId: field.ref(text`Late fine rule`, { to: fineRuleNames, optional: true }),
    gstRate: field.percent(text`GST (%)`, {
      most: 2800,
      initial: '0',
      isAside: true,
      hint: text`0 for school fees, which are exempt.`,
    }),
    sac: field.text(text`SAC`, {
      max: 8,
      optional: true,
      isAside: true,
      like: /^[0-9]{4,8}$/,
      message: text`Enter 4 to 8 digits.`,
    }),
    ledgerCode: field.text(text`Ledger code`, { max: 20, optional: true, isAside: true }),
  },
  constraintMessages: {
    fee_head_one_transport: {
      field: 'category',
      message: text`Another active head has this category. Deactivate it first.`,
    },
  },
});

export const bankAccountMaster = defineMaster({
  table: 'fee_bank_account',
  path: '/fee/bank-account',
  singular: text`bank account`,
  plural: text`bank accounts`,
  description: text`Accounts of the school and its trust into which fees are paid.`,
  access: feeWriters,
  readAccess: feeReaders,
  optionAccess: feeReaders,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    bank: field.text(text`Bank`, { max: 80 }),
    last4: field.text(text`Last 4 digits`, {
      max: 4,
      like: /^[0-9]{4}$/,
      message: text`Enter the last 4 digits of the account number.`,
    }),
    ifsc: field.text(text`IFSC`, {
      max: 11,
      optional: true,
      isAside: true,
      like: /^[A-Z]{4}0[A-Z0-9]{6}$/,
      message: text`Enter a code such as SBIN0001234.`,
    }),
    receiptSeriesId: field.ref(text`Receipt series`, { to: namedBy(receiptSeriesMaster) }),
  },
});

export const feeMasters = [headMaster, receiptSeriesMaster, bankAccountMaster] as const;
