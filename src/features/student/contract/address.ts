import * as z from 'zod/mini';
import { admin, staff, studentKeepers } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, outputOf } from '#kit/contract/field.ts';
import { id, rule } from '#kit/contract/fields.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { changes, path, shows } from './record.ts';

/** Those who visit, write to or fetch the family. */
export const addressReaders = [
  admin(),
  staff('office', 'principal', 'classTeacher', 'accountant', 'transportIncharge'),
] as const;

export const currentAddressFields = {
  currentStreetNo: field.text(text`House or street number`, { max: 50, optional: true }),
  currentAddress1: field.text(text`Address line 1`, { max: 200, optional: true }),
  currentAddress2: field.text(text`Address line 2`, { max: 200, optional: true }),
  currentCity: field.text(text`City`, { max: 100, optional: true }),
  currentState: field.text(text`State`, { max: 100, optional: true }),
  currentCountry: field.text(text`Country`, { max: 100, optional: true }),
  currentPinCode: field.text(text`PIN code`, {
    max: 10,
    like: /^[0-9A-Za-z -]{1,10}$/,
    inputMode: 'numeric',
    optional: true,
  }),
};
export const sameField = {
  isSame: field.yesNo(text`The permanent address is the same`),
};
export const permanentAddressFields = {
  permanentStreetNo: field.text(text`Permanent house or street number`, { max: 50, optional: true }),
  permanentAddress1: field.text(text`Permanent address line 1`, { max: 200, optional: true }),
  permanentAddress2: field.text(text`Permanent address line 2`, { max: 200, optional: true }),
  permanentCity: field.text(text`Permanent city`, { max: 100, optional: true }),
  permanentState: field.text(text`Permanent state`, { max: 100, optional: true }),
  permanentCountry: field.text(text`Permanent country`, { max: 100, optional: true }),
  permanentPinCode: field.text(text`Permanent PIN code`, {
    max: 10,
    like: /^[0-9A-Za-z -]{1,10}$/,
    inputMode: 'numeric',
    optional: true,
  }),
};
export const addressFields = { ...currentAddressFields, ...sameField, ...permanentAddressFields };

const checkPermanent = rule<{ isSame: boolean; permanentAddress1: string }>((values, say) => {
  if (values.isSame === false && values.permanentAddress1 === '')
    say('permanentAddress1', text`Enter the permanent address, or tick that it is the same.`);
});

export const addressApi = {
  address: endpoint({
    method: 'GET',
    path: `${path}/:id/address`,
    access: addressReaders,
    shows,
    opens: 'student',
    input: z.object({ id }),
    output: z.object({
      /** 0 where none is recorded. */
      version: z.number(),
      saved: z.object(outputOf(addressFields)),
    }),
  }),
  saveAddress: endpoint({
    method: 'PUT',
    path: `${path}/:id/address`,
    access: studentKeepers,
    changes,
    input: z
      .object({
        id,
        version: wholeNumber(text`Version`, { least: 0, most: 2_147_483_647 }),
        ...inputOf(addressFields),
      })
      .check(checkPermanent),
    output: z.object({}),
  }),
};
