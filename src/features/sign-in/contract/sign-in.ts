import * as z from 'zod/mini';
import { permissionSets, roles, signedIn } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { email, fieldErrors, fieldInfo, mobile, password, rule, text, tick } from '#kit/contract/fields.ts';

// Names and messages of these operations are the specification's, letter for letter (sections 3, 5 and 8).
export const methods = ['UserNameNPassword', 'Email', 'Mobile', 'Google'] as const;
export type Method = (typeof methods)[number];

export const wrongCredentials = 'Invalid User Credential!';
export const wrongCode = 'Invalid OTP.';
/** Said to an Admin whose password was right, where a code is asked for as well. */
export const secondStep = {
  Email: 'A code is on its way to your e-mail address.',
  Mobile: 'A code is on its way to your mobile number.',
} as const;
/** Said to an Admin whose every address is too new to send that code to. */
export const heldCode =
  'Your email address or mobile number was changed less than 3 days ago, so no code is sent to it yet. Sign in on a browser you have used before.';
/** Said of a code that was asked for, whether or not anybody has that address. */
export const codeSent = 'If this is the address of an account, a code is on its way. Only a few are sent in an hour.';

const passwordWords = {
  required: 'Password is Required',
  invalid: 'Password should be atleast 6 and at the max 15 characters long.',
};
const mobileInvalid = 'Mobile number should be 10 characters long.';

/** What each method asks for. */
export const signInFields = {
  UserNameNPassword: z.object({
    UserName: text('Username', 50, { required: 'Username is Required' }),
    Password: password('Password', { least: 6, most: 15, words: passwordWords }),
  }),
  Email: z.object({ EmailID: email('Email', { required: 'Email is Required', invalid: 'Email is Invalid' }) }),
  Mobile: z.object({
    MobileNo: mobile('Mobile Number', { required: 'Mobile Number is Required', invalid: mobileInvalid }),
  }),
  Google: z.object({}),
} as const;

const codeLength = 5;
const codeText = text('OTP', 20, { required: 'Please enter OTP', invalid: 'OTP is Invalid' });
export const codeField = codeText
  .check(z.refine((code) => code === '' || plainCode(code).length === codeLength, { error: 'OTP is Invalid' }))
  .register(fieldInfo, { label: 'OTP', optional: false, messages: ['Please enter OTP', 'OTP is Invalid'] });

/** A code as it was made, from one typed small, or with blanks or dashes between. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();

/** A field that only one method asks for: whether it is needed, the rule below says. */
const asked = (field: z.core.$ZodType) => {
  const schema = z._default(z.string(), '');
  const info = fieldInfo.get(field as never);
  return info ? schema.register(fieldInfo, { ...info, optional: false }) : schema;
};
const { UserNameNPassword: named, Email: mailed, Mobile: rung } = signInFields;

/** Of the fields only those of the chosen method count. */
export const signInDraft = z
  .object({
    AuthenicateUserBy: z.enum(methods),
    UserName: asked(named.shape.UserName),
    Password: asked(named.shape.Password),
    EmailID: asked(mailed.shape.EmailID),
    MobileNo: asked(rung.shape.MobileNo),
    /** What Google sent the browser back with: the query of /login. */
    GoogleAnswer: z._default(z.string().check(z.maxLength(4000)), ''),
    /** Remembers a Staff session on this device, at most 14 days unused (A19). */
    rememberMe: tick('Remember me'),
  })
  .check(
    rule((draft, say) => {
      if (!draft.AuthenicateUserBy) return;
      const judged = signInFields[draft.AuthenicateUserBy].safeParse(draft);
      if (!judged.error) return;
      for (const [field, message] of Object.entries(fieldErrors(judged.error))) say(field as 'UserName', message);
    }),
  );

export const codeDraft = z.object({ OTP: codeField, rememberMe: tick('Remember me') });

/** One answer stands in a list, as the specification has it; otPval is always empty (decision 3). */
const signInAnswer = z.array(
  z.object({
    messageVal: z.string(),
    isSuccess: z.boolean(),
    otPval: z.literal(''),
    imageURL: z.string(),
    /** Filled only once somebody is signed in. */
    userMasterModel: z.array(z.object({ userID: z.number(), userName: z.string(), userImagePath: z.string() })),
  }),
);
export type SignInAnswer = z.infer<typeof signInAnswer>;

/** Who is signed in: what the pages go by, whatever the browser's storage says (decision 1). */
export const me = z.object({
  userID: z.number(),
  staffID: z.number(),
  role: z.enum(roles),
  name: z.string(),
  /** Where the picture is; empty without one. */
  picture: z.string(),
  sets: z.array(z.enum(permissionSets)),
  /** What this person signs in with; empty where there is none. */
  userName: z.string(),
  email: z.string(),
  mobile: z.string(),
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
    input: z.object({ rememberMe: tick('Remember me') }),
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
