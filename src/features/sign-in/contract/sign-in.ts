import * as z from 'zod/mini';
import { permissionSets, roles, signedIn } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  because,
  email,
  fieldErrors,
  fieldInfo,
  freeText,
  mobile,
  password,
  rule,
  tick,
} from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';

// Names and messages of these operations are the specification's, letter for letter (sections 3, 5 and 8).
export const methods = ['UserNameNPassword', 'Email', 'Mobile', 'Google'] as const;
export type Method = (typeof methods)[number];

export const wrongCredentials = text`Invalid User Credential!`;
export const wrongCode = text`Invalid OTP.`;
/** Answers an Admin's right password where a code is needed too. */
export const secondStep = {
  Email: text`We sent a 5-character code to your email. It expires in 5 minutes.`,
  Mobile: text`We sent a 5-character code to your mobile. It expires in 5 minutes.`,
} as const;
/** Refuses an Admin whose every address is too new to send that code to. */
export const heldCode = text`Your contact details changed less than 3 days ago. Sign in on a browser you used before.`;
/** Answers a request for a code, whether or not the address belongs to an account. */
export const codeSent = text`If this email or mobile number belongs to an account, we sent a 5-character code to it. It expires in 5 minutes. You can ask for only a few codes an hour.`;

const passwordWords = {
  required: text`Password is Required`,
  invalid: text`Password should be atleast 6 and at the max 15 characters long.`,
};
const mobileInvalid = text`Mobile number should be 10 characters long.`;

/** The fields of each method. */
export const signInFields = {
  UserNameNPassword: z.object({
    UserName: freeText(text`Username`, 50, { required: text`Username is Required` }),
    Password: password(text`Password`, { least: 6, most: 15, words: passwordWords }),
  }),
  Email: z.object({
    EmailID: email(text`Email`, { required: text`Email is Required`, invalid: text`Email is Invalid` }),
  }),
  Mobile: z.object({
    MobileNo: mobile(text`Mobile Number`, { required: text`Mobile Number is Required`, invalid: mobileInvalid }),
  }),
  Google: z.object({}),
} as const;

const codeLength = 5;
const invalidCode = text`OTP is Invalid`;
const codeText = freeText(text`OTP`, 20, { isCode: true, required: text`Please enter OTP`, invalid: invalidCode });
export const codeField = codeText
  .check(z.refine((code) => code === '' || plainCode(code).length === codeLength, because(invalidCode)))
  .register(fieldInfo, { label: text`OTP`, optional: false });

/** Normalises a code typed in small letters or with spaces or dashes. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();

/** A field of one method only; the rule below checks it. */
const asked = (field: z.core.$ZodType) => {
  const schema = z._default(z.string(), '');
  const info = fieldInfo.get(field as never);
  return info ? schema.register(fieldInfo, { ...info, optional: false }) : schema;
};
const { UserNameNPassword: named, Email: mailed, Mobile: rung } = signInFields;

/** Only the fields of the chosen method count. */
const signInDraft = z
  .object({
    AuthenicateUserBy: z.enum(methods),
    UserName: asked(named.shape.UserName),
    Password: asked(named.shape.Password),
    EmailID: asked(mailed.shape.EmailID),
    MobileNo: asked(rung.shape.MobileNo),
    /** The query of /login with which Google redirects back. */
    GoogleAnswer: z._default(z.string().check(z.maxLength(4000)), ''),
    /** Remembers a Staff session on this device, at most 14 days unused (A19). */
    rememberMe: tick(text`Remember me`),
  })
  .check(
    rule((draft, say) => {
      if (!draft.AuthenicateUserBy) return;
      const checked = signInFields[draft.AuthenicateUserBy].safeParse(draft);
      if (!checked.error) return;
      for (const [field, message] of Object.entries(fieldErrors(checked.error))) say(field as 'UserName', message);
    }),
  );

const codeDraft = z.object({ OTP: codeField, rememberMe: tick(text`Remember me`) });

/** The answer is one item of a list, as the specification has it; otpVal is always empty. */
const signInAnswer = z.array(
  z.object({
    messageVal: z.string(),
    /** The text of `messageVal`, for translation. */
    text: z.optional(anyText),
    isSuccess: z.boolean(),
    otPval: z.literal(''),
    imageURL: z.string(),
    /** Empty until the sign-in is complete. */
    userMasterModel: z.array(z.object({ userID: z.number(), userName: z.string(), userImagePath: z.string() })),
  }),
);
export type SignInAnswer = z.infer<typeof signInAnswer>;

/** The signed-in user, a member of staff, from which pages decide; they ignore the browser's storage. */
export const me = z.object({
  userID: z.number(),
  role: z.enum(roles),
  name: z.string(),
  /** The address of the picture; empty without one. */
  picture: z.string(),
  sets: z.array(z.enum(permissionSets)),
  /** The ways to sign in; empty where not set. */
  userName: z.string(),
  email: z.string(),
  mobile: z.string(),
  /** This program's version, for Admins. */
  version: z.optional(z.string()),
});
export type Me = z.infer<typeof me>;

const path = '/sign-in';
const nothing = z.object({});

export const signInApi = {
  authenticateUser: endpoint({
    method: 'POST',
    path: `${path}/authenticate-user`,
    access: 'public',
    titled: true,
    ownTransactions: true,
    input: signInDraft,
    /** Null for a sign-in with Google that failed. */
    output: z.nullable(signInAnswer),
  }),
  startGoogle: endpoint({
    method: 'POST',
    path: `${path}/google`,
    access: 'public',
    titled: true,
    ownTransactions: true,
    input: z.object({ rememberMe: tick(text`Remember me`) }),
    output: z.object({ address: z.string() }),
  }),
  verifyOtp: endpoint({
    method: 'POST',
    path: `${path}/verify-otp`,
    access: 'public',
    titled: true,
    input: codeDraft,
    output: signInAnswer,
  }),
  me: endpoint({
    method: 'GET',
    path: `${path}/me`,
    access: signedIn,
    shows: ['account', 'staff'],
    input: nothing,
    output: me,
  }),
  signOut: endpoint({ method: 'POST', path: `${path}/sign-out`, access: 'public', input: nothing, output: nothing }),
};
