#!/bin/sh
# Writes the passwords of compose.yaml into the folder secrets, once. Users of the containers must be able to read the files.
set -eu
umask 077
mkdir -p secrets
[ ! -e secrets/login_url ] || { echo 'The folder secrets has them already.'; exit 1; }
password() { head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
admin=$(password)
printf %s "$admin" > secrets/admin_password
printf %s "postgres://postgres:$admin@db:5432/postgres" > secrets/admin_url
printf %s "postgres://shala_owner:$(password)@db:5432/shala" > secrets/owner_url
printf %s "postgres://shala_login:$(password)@db:5432/shala" > secrets/login_url
chmod 711 secrets
chmod 444 secrets/*
