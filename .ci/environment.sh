# Makes a Python environment for a check; to be sourced.

# make_environment FOLDER: makes the environment anew. Its pip trusts each certificate that this machine does, also one that
# was laid into the folder of the certificates and is not in the system's bundle.
make_environment() {
    python3 -m venv --clear "$1"
    cat /etc/ssl/certs/*.pem >"$1/certificates.pem" 2>/dev/null || true
    [ ! -s "$1/certificates.pem" ] || export PIP_CERT="${PIP_CERT:-$PWD/$1/certificates.pem}"
}
