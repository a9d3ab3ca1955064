# The server of one school. Build it from a clone: docker build -t shala:0.2.0 .
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --include=dev && node scripts/pack.ts /shala

FROM node:24.21.0-bookworm-slim
WORKDIR /shala
COPY --from=build /shala /shala
ENV NODE_ENV=production HOST=0.0.0.0 SHALA_FOLDER=/var/lib/shala BACKUP_FOLDER=/var/backups/shala
RUN install -d -o 10001 -g 10001 -m 700 /var/lib/shala /var/backups/shala
USER 10001:10001
EXPOSE 3000
STOPSIGNAL SIGTERM
# A start may back up and migrate before it listens.
HEALTHCHECK --start-period=15m --interval=30s --timeout=10s CMD ["node", "scripts/healthy.ts"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "--heap-growing-percent=200", "src/server.ts"]
