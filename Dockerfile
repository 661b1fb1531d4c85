# A static program in an empty image, run by nobody in particular.

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN make build && mkdir -p /out/lib

FROM scratch
COPY --from=build /src/bin/dustbuster /usr/bin/dustbuster
COPY LICENSE NOTICE /usr/share/doc/dustbuster/
# A new volume that is mounted here begins as a copy of it, and so belongs to the
# user. The logs must be readable for that user, too.
COPY --from=build --chown=65532:65532 /out/lib /var/lib/dustbuster
USER 65532:65532
WORKDIR /var/lib/dustbuster
ENTRYPOINT ["/usr/bin/dustbuster"]
CMD ["--help"]
